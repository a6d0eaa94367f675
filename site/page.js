// What lives on a page without a kernel: films, figures along a slider, predictions, fresh copies,
// the search.

const made = (name, properties = {}, ...parts) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...parts);
  return element;
};
const facts = (element) => JSON.parse(element.querySelector("script").textContent);

// Films: each is put together when it comes in sight, and takes the size of its frame.
const data = document.getElementById("films");
const { ends, films } = data ? JSON.parse(data.textContent) : {};
const frames = [...document.querySelectorAll("iframe.film")];

// 03_….html#film-2&at=120.select leads to that moment of the second film.
const [, number, moment] = /^#film-([0-9]+)&(at=[0-9]{1,9}(?:\.[a-z_]{1,20})?)$/.exec(location.hash) ?? [];
const wanted = frames[number - 1];

const open = (frame) => {
  const [kind, middle] = films[frame.dataset.film];
  const [head, tail] = ends[kind];
  const said = frame === wanted ? moment : frame.dataset.opens;
  frame.srcdoc = head + middle + tail + (said ? `<script>window.name = "${said}";<\/script>` : "");
};

const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    open(target);
  }
}, { rootMargin: "600px" });
frames.forEach((frame) => sight.observe(frame));
addEventListener("beforeprint", () => frames.filter((frame) => !frame.srcdoc).forEach(open));
wanted?.scrollIntoView();

// Figures along a slider: a graph came as deflated SVG, anything else as PNG.
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const inflated = (text) => new Response(
  new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate")),
).text();
const sourceOf = async (kind, data) => kind === "png"
  ? `data:image/png;base64,${data}`
  : `data:image/svg+xml,${encodeURIComponent(await inflated(data))}`;

for (const place of document.querySelectorAll(".frames")) {
  const { name, frames: stills, start } = facts(place);
  const [said, image] = [made("output"), made("img", { className: "plot" })];
  const slider = made("input", { type: "range", min: 0, max: stills.length - 1, value: start });
  const show = async () => {
    const still = stills[slider.value];
    const [value, kind, data] = still;
    said.textContent = value;
    slider.setAttribute("aria-valuetext", `${name} ${value}`);
    const src = await sourceOf(kind, data);
    if (still !== stills[slider.value]) return; // dragged on
    Object.assign(image, { src, alt: `The figure for ${name} ${value}` });
  };
  slider.addEventListener("input", show);
  show();
  place.append(made("label", {}, `${name} `, slider, " ", said), image);
}

// A path: 03_….html?path=two-sessions leads to the lessons before and after it on that path.
const name = new URLSearchParams(location.search).get("path");
const known = document.getElementById("paths");
const steps = known && JSON.parse(known.textContent)[name];
const here = steps?.findIndex(([page]) => location.pathname.endsWith(`/${page}`)) ?? -1;
const lead = [...document.querySelectorAll("p")]
  .find(({ textContent }) => /^(Previous|Next): /.test(textContent));
if (lead && here >= 0) {
  const beside = { "Previous: ": steps[here - 1], "Next: ": steps[here + 1] };
  const links = Object.entries(beside).filter(([, step]) => step).flatMap(([word, [page, title]], at) =>
    [at ? " · " : "", word, made("a", { href: `${page}?path=${name}` }, title)]);
  lead.replaceChildren(...links, " · ", made("a", { href: `${name}.html` }, "Contents"));
}

// Predictions: an answer is locked, and only then is the result shown.
const revealed = [...document.querySelectorAll(".reveal")];
const results = new Map(revealed.map((place) => [facts(place).question, place]));
const plain = (text) => text.replaceAll("`", "");

for (const form of document.querySelectorAll("form.predict")) {
  const { question, choices } = facts(form);
  const place = results.get(question);
  const cell = place?.closest(".cell");
  cell?.classList.add("waits");
  const set = made("fieldset", {}, made("legend", {}, plain(question)));
  const fields = choices.map((choice, at) => {
    const radio = made("input", { type: "radio", name: "choice", value: choice, required: at === 0 });
    return made("label", {}, radio, ` ${plain(choice)}`);
  });
  set.append(...fields, made("button", {}, "Lock my guess"));
  form.append(set);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const guess = set.querySelector(":checked").value;
    set.disabled = true;
    set.querySelector("button").textContent = "Locked";
    if (!cell) return;
    const { found } = facts(place);
    const compared = made("p", {}, `Your guess: ${plain(guess)}. Answer: ${plain(found)}.`);
    place.prepend(made("p", {}, made("strong", {}, plain(question))), compared);
    cell.classList.remove("waits");
  });
}

// A fresh copy of a lesson: what JupyterLite keeps of it in this browser gets another name.
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const putAside = async (path) => {
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith("JupyterLite Storage")) continue;
    const database = await done(indexedDB.open(name));
    if (database.objectStoreNames.contains("files")) {
      const files = database.transaction("files", "readwrite").objectStore("files");
      const kept = await done(files.get(path));
      const now = new Date().toLocaleString("sv").replaceAll(":", ".");
      const aside = path.replace(/\.ipynb$/, ` (until ${now}).ipynb`);
      if (kept) {
        files.put({ ...kept, name: aside.split("/").at(-1), path: aside }, aside);
        await done(files.delete(path));
      }
    }
    database.close();
  }
};

for (const link of document.querySelectorAll("a.fresh")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    await putAside(new URL(link.href).searchParams.get("path"));
    location.assign(link.href);
  });
}

// The search: sections in which every word occurs.
const index = document.getElementById("index");
if (index) {
  const sections = JSON.parse(index.textContent);
  const [field, list] = [document.getElementById("words"), document.getElementById("found")];
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = sections.filter(([, heading, text]) =>
      words.every((word) => `${heading} ${text}`.toLowerCase().includes(word)));
    const rows = (words.length ? hits : []).slice(0, 30).map(([place, heading, text]) => {
      const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
      const excerpt = `${at ? "… " : ""}${text.slice(at, at + 200)} …`;
      return made("li", {}, made("a", { href: place }, heading), made("p", {}, excerpt));
    });
    list.replaceChildren(...rows);
    document.getElementById("count").textContent = words.length ? `${hits.length} sections` : "";
  };
  field.addEventListener("input", find);
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  find();
}
