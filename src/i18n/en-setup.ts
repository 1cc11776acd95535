// What set-up says, in English. Part of the catalogue in en.ts.

export const enSetup = {
  "setup.opening":
    "This makes a profile: which model MiniCode asks. A key is never asked for and never stored, only the name of its variable. Enter takes what stands in brackets; Ctrl+C leaves, and nothing is changed.",
  "setup.looking": "Looking for model servers on this machine …",
  "setup.provider": "Whose model? Number or name:",
  "setup.provider.needed": "A number or a name of the list is needed, like 1; Ctrl+C leaves.",
  "setup.provider.unknown": (answer: string, near: string) =>
    `There is no "${answer}" in the list.${near === "" ? "" : ` Did you mean ${near}?`}`,
  "setup.key.set": (variable: string) => `${variable} is set`,
  "setup.key.needed": (variable: string) => `needs ${variable}`,
  "setup.key.none": "no key needed",
  "setup.any": "any other server; you give its base URL",
  "setup.answers": (place: string) => `answers at ${place}`,
  "setup.silent": (place: string) => `does not answer at ${place}`,
  "setup.broken": (id: string, why: string) => `The profile ${id} cannot be read and is left out: ${why}`,
  "setup.url": "Base URL of the server:",
  "setup.url.wrong": (why: string, hint: string) => `That ${why}. ${hint}`,
  "setup.variable": "Name of the variable that holds the key (a - for none):",
  "setup.variable.wrong":
    "That is no variable's name, like MY_SERVER_API_KEY. If it was a key: it was not kept. Put it into a variable and give that one's name.",
  "setup.asking": (place: string) => `Asking ${place} for its models …`,
  "setup.no-list": (why: string) => `No list of models: ${why}`,
  "setup.no-list.key": (variable: string) =>
    `${variable} is not set, so the server is not asked for its models.`,
  "setup.models": (shown: number, all: number) =>
    shown < all ? `It offers ${all} models; these are ${shown} of them:` : "It offers:",
  "setup.models.found": (shown: number, all: number) =>
    shown < all ? `${all} models fit; these are ${shown} of them:` : "These fit:",
  "setup.model": "Model: number, name, or a part of a name to search:",
  "setup.model.free": "Name of the model, as the server knows it:",
  "setup.model.needed": "A name is needed.",
  "setup.model.taken": (name: string) => `${name} it is.`,
  "setup.model.unlisted": (name: string) => `The server does not list "${name}". Take it all the same?`,
  "setup.window": (model: string) => `Context window of ${model} in tokens, like 128000 or 128k:`,
  "setup.window.load": (model: string) => `Tokens of context to load ${model} with:`,
  "setup.window.unknown": "unknown",
  "setup.window.wrong": "That is no number of tokens.",
  "setup.body": (fields: string, own: string, model: string) =>
    `With ${own} each request holds ${fields} too. Send that to ${model} as well?`,
  "setup.id": "Name of this profile:",
  "setup.id.wrong":
    'A name has letters, digits, ".", "_" and "-", and is not "offline", "scripted" or "setup".',
  "setup.overwrite": (path: string) => `${path} is there already. Overwrite it?`,
  "setup.default": (id: string) => `Start with ${id} from now on (writes it into settings.json)?`,
  "setup.wrote": (path: string) => `Wrote ${path}`,
  "setup.now-default": (id: string, path: string) => `MiniCode starts with ${id} from now on (${path}).`,
  "setup.beaten": (variable: string) => `But ${variable} is set, and beats that as long as it is.`,
  "setup.not-default": (id: string) => `Start with it by --profile ${id}.`,
  "setup.export": (variable: string) =>
    `${variable} is not set yet. Put the key there, in your shell or in its start-up file:\n  export ${variable}=…`,
  "setup.next": (id: string) => `Next:\n  minicode doctor --online${id}\n  minicode${id}`,
  "setup.left": "Set-up was left; nothing was changed.",
  "setup.yes-no": "Please answer y or n.",
  "setup.yes": "Y/n",
  "setup.no": "y/N",
};
