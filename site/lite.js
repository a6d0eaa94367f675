// JupyterLite: a command that runs cells waits for the notebook's kernel. Pressed earlier, JupyterLab
// would ask which kernel to take, and run nothing.
const sought = setInterval(() => {
  const app = window.jupyterapp;
  if (!app) return;
  clearInterval(sought);
  const execute = app.commands.execute.bind(app.commands);
  app.commands.execute = (id, given) => {
    const ready = id.startsWith("notebook:run") && app.shell.currentWidget?.sessionContext?.ready;
    return ready ? ready.then(() => execute(id, given)) : execute(id, given);
  };
}, 20);
