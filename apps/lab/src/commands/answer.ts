/** The result of a command. */
export interface CommandAnswer {
  code: number
  out: string
  err: string
}

/** A fake command; its arguments are the words after its name. */
export type Command = (args: readonly string[]) => CommandAnswer

export const printed = (out = ''): CommandAnswer => ({ code: 0, out, err: '' })
export const printedJson = (value: unknown): CommandAnswer => printed(JSON.stringify(value))
export const refused = (err: string, code = 255): CommandAnswer => ({ code, out: '', err: `${err}\n` })

export interface Parsed {
  words: string[]
  options: Map<string, string>
}

/** `--name value` anywhere, as in the tools of Proxmox. An unknown option is an error. */
export function parse(args: readonly string[], known: readonly string[]): Parsed {
  const words: string[] = []
  const options = new Map<string, string>()
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (!arg.startsWith('-')) words.push(arg)
    else if (!known.includes(arg.replace(/^--/, ''))) throw new UsageError(`Unknown option: ${arg}`)
    else options.set(arg.replace(/^--/, ''), args[++i] ?? '')
  }
  return { words, options }
}

export class UsageError extends Error {}
