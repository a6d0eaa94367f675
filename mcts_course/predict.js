// A prediction: a question, and fields that lock when the result is shown.

function element(name, parent, properties = {}) {
  const node = Object.assign(document.createElement(name), properties);
  parent.append(node);
  return node;
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
  const show = () => {
    const answer = model.get("answer");
    const locked = model.get("locked");
    for (const input of inputs) Object.assign(input, { checked: input.value === answer, disabled: locked });
    const open = answer === null ? "Answer before you go on."
      : "Noted. You can change it until the result is shown.";
    status.textContent = locked ? "Locked: the result has been shown." : open;
  };
  model.on("change", show);
  show();
  return () => model.off("change", show);
}

export default { render };
