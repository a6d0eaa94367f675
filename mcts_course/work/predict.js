// A prediction: a question, and fields that lock when the result is shown.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"; // of the choices, in a code for a chat
const CHANGE = "You can change it until the result is shown.";
const NOT_SAVED = "Not saved: run this cell again. (The kernel does not answer; it may be busy.)";
const PATIENCE = 700; // milliseconds in which a kernel that is idle has answered, so nothing flickers

function element(name, parent, properties = {}) {
  const node = Object.assign(document.createElement(name), properties);
  parent.append(node);
  return node;
}

/** What a student pastes into a chat, such as " (KTR-B)"; of more choices than letters there is none. */
function code(model) {
  const letter = LETTERS[model.get("choices").indexOf(model.get("kept"))];
  return letter ? ` (${model.get("code")}-${letter})` : "";
}

function render({ model, el }) {
  const asked = model.get("question").split("`"); // every second part is code
  const ariaLabel = `Predict: ${asked.join("")}`;
  const root = element("fieldset", el, { className: "mcts-predict", ariaLabel });
  element("legend", root, { textContent: "Predict" });
  const question = element("p", root);
  asked.forEach((part, at) => element(at % 2 ? "code" : "span", question, { textContent: part }));
  const name = `mcts-predict-${Math.random()}`; // each field has a copy of this file, so it cannot count
  const inputs = model.get("choices").map((choice) => {
    const label = element("label", root);
    const input = element("input", label, { type: "radio", name, value: choice });
    input.dataset.lmSuppressShortcuts = "true"; // JupyterLab takes keys
    element("span", label, { textContent: choice });
    input.addEventListener("change", () => {
      model.set("answer", choice);
      model.save_changes();
    });
    return input;
  });
  const status = element("p", root, { className: "status", ariaLive: "polite" });
  let silence;
  const show = () => {
    const [locked, kept] = [model.get("locked"), model.get("kept")];
    const answer = locked ? kept : model.get("answer"); // what came too late is not kept
    for (const input of inputs) Object.assign(input, { checked: input.value === answer, disabled: locked });
    clearTimeout(silence);
    if (locked) status.textContent = "Locked: the result has been shown.";
    else if (answer === null) status.textContent = "Answer before you go on.";
    else if (answer === kept && model.get("unsaved")) status.textContent = model.get("unsaved");
    else if (answer === kept) status.textContent = `Noted${code(model)}. ${CHANGE}`;
    else {
      status.textContent = "Saving …";
      silence = setTimeout(() => { status.textContent = NOT_SAVED; }, PATIENCE);
    }
  };
  model.on("change", show);
  show();
  return () => {
    clearTimeout(silence);
    model.off("change", show);
    el.replaceChildren(); // else the page keeps what a cell showed before it ran again
  };
}

export default { render };
