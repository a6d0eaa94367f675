// Put each film together when it comes in sight; it takes the size of its frame.
const { ends, films } = JSON.parse(document.getElementById("films").textContent);
const frames = [...document.querySelectorAll("iframe.film")];

const open = (frame) => {
  const [kind, middle] = films[frame.dataset.film];
  const [head, tail] = ends[kind];
  frame.srcdoc = head + middle + tail;
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
