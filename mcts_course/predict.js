// A prediction: a question, and fields that lock when the result is shown.

let made = 0;

function element(name, parent, properties = {}) {
  const node = Object.assign(document.createElement(name), properties);
  if (node.matches("input")) node.dataset.lmSuppressShortcuts = "true"; // JupyterLab takes keys
  parent.append(node);
  return node;
}

function radios(model, root, answer) {
  const group = `mcts-predict-${(made += 1)}`;
  const inputs = model.get("choices").map((choice) => {
    const label = element("label", root);
    const input = element("input", label, { type: "radio", name: group });
    element("span", label, { textContent: choice });
    input.addEventListener("change", () => answer(0, choice));
    return input;
  });
  return (answers) => {
    for (const [at, choice] of model.get("choices").entries()) inputs[at].checked = choice === answers[0];
    return inputs;
  };
}

function numbers(model, root, answer) {
  const [low, high] = [model.get("low"), model.get("high")];
  const bounds = Object.fromEntries(Object.entries({ min: low, max: high }).filter((bound) => bound[1] !== null));
  const fields = model.get("entries").map((entry, at) => {
    const row = element("div", root, { className: "row" });
    const name = entry || "your guess";
    element("span", row, { textContent: name, ariaHidden: "true" });
    const told = (event) => {
      const { value } = event.target;
      if (event.target.validity.valid) answer(at, value === "" ? null : Number(value));
    };
    const inputs = [];
    if (low !== null && high !== null) {
      const step = Number.isInteger(low) && Number.isInteger(high) && high - low >= 20 ? 1 : (high - low) / 100;
      const slider = element("input", row, { type: "range", ...bounds, step, ariaLabel: `${name}, slider` });
      slider.addEventListener("input", told);
      inputs.push(slider);
    }
    const field = element("input", row, { type: "number", ...bounds, step: "any", ariaLabel: name });
    field.addEventListener("change", told);
    return [...inputs, field];
  });
  return (answers) => {
    for (const [at, inputs] of fields.entries()) {
      for (const input of inputs) {
        const value = answers[at] ?? (input.type === "range" ? (low + high) / 2 : "");
        if (String(value) !== input.value) input.value = value;
        input.classList.toggle("unset", (answers[at] ?? null) === null);
      }
    }
    return fields.flat();
  };
}

function render({ model, el }) {
  const root = element("fieldset", el, { className: "mcts-predict" });
  element("legend", root, { textContent: "Predict" });
  element("p", root, { textContent: model.get("question") });
  const answer = (at, value) => {
    model.set("answers", model.get("answers").map((old, place) => (place === at ? value : old)));
    model.save_changes();
    show();
  };
  const update = (model.get("choices").length > 0 ? radios : numbers)(model, root, answer);
  const status = element("p", root, { className: "status" });
  status.setAttribute("aria-live", "polite");
  const show = () => {
    const locked = model.get("locked");
    for (const input of update(model.get("answers"))) input.disabled = locked;
    const open = model.get("answers").filter((value) => value === null).length;
    if (locked) status.textContent = "Locked: the result has been shown.";
    else status.textContent = open > 0 ? "Answer before you go on." : "Noted. You can change it until the result is shown.";
  };
  model.on("change:answers", show);
  model.on("change:locked", show);
  show();
  return () => {
    model.off("change:answers", show);
    model.off("change:locked", show);
  };
}

export default { render };
