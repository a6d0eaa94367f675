// A prediction: a question, and fields that lock when the result is shown.

function element(name, parent, properties = {}) {
  const node = Object.assign(document.createElement(name), properties);
  if (node.matches("input")) node.dataset.lmSuppressShortcuts = "true"; // JupyterLab takes keys
  parent.append(node);
  return node;
}

const plain = (model) => model.get("question").replaceAll("`", "");

function radios(model, root, answer) {
  const group = `mcts-predict-${Math.random()}`; // each field has a copy of this file, so it cannot count
  const inputs = model.get("choices").map((choice) => {
    const label = element("label", root);
    const input = element("input", label, { type: "radio", name: group });
    element("span", label, { textContent: choice });
    input.addEventListener("change", () => answer(choice));
    return input;
  });
  return (given) => {
    for (const [at, choice] of model.get("choices").entries()) inputs[at].checked = choice === given;
    return inputs;
  };
}

function render({ model, el }) {
  const root = element("fieldset", el, { className: "mcts-predict", ariaLabel: `Predict: ${plain(model)}` });
  element("legend", root, { textContent: "Predict" });
  const question = element("p", root);
  for (const [at, part] of model.get("question").split("`").entries()) {
    element(at % 2 ? "code" : "span", question, { textContent: part });
  }
  const answer = (value) => {
    model.set("answer", value);
    model.save_changes();
    show();
  };
  const update = radios(model, root, answer);
  const status = element("p", root, { className: "status" });
  status.setAttribute("aria-live", "polite");
  const show = () => {
    const locked = model.get("locked");
    for (const input of update(model.get("answer"))) input.disabled = locked;
    const open = model.get("answer") === null;
    if (locked) status.textContent = "Locked: the result has been shown.";
    else status.textContent = open ? "Answer before you go on." : "Noted. You can change it until the result is shown.";
  };
  model.on("change:answer", show);
  model.on("change:locked", show);
  show();
  return () => {
    model.off("change:answer", show);
    model.off("change:locked", show);
  };
}

export default { render };
