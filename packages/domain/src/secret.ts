/** Node's console and loggers call this method for the text of an object. */
const inspected = Symbol.for('nodejs.util.inspect.custom')

/** Text that must not be printed. It appears as [secret] in logs, JSON and errors. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspected](): string {
    return '[secret]'
  }
}
