import { SettingsError } from './values.ts'

/** Every setting with its flag and variable, and whether the flag has no value. */
export const flags = {
  url: { env: 'PULSE_URL', text: 'address of the server, by default http://localhost:7655' },
  token: { env: 'PULSE_TOKEN', text: 'token with the scope docker:report; prefer the variable' },
  interval: { env: 'PULSE_INTERVAL', text: 'time between reports, by default 30s' },
  hostname: { env: 'PULSE_HOSTNAME', text: 'name of this host, by default its own' },
  'agent-id': {
    env: 'PULSE_AGENT_ID',
    text: 'identity of this host, by default that of the engine, otherwise of the machine',
  },
  insecure: {
    env: 'PULSE_INSECURE_SKIP_VERIFY',
    alone: true,
    text: 'do not verify the certificate of the server',
  },
  'no-auto-update': {
    env: 'PULSE_NO_AUTO_UPDATE',
    alone: true,
    text: 'do not update when the server offers a newer version',
  },
  target: {
    env: 'PULSE_TARGETS',
    text: 'url|token[|insecure]; may be repeated, and replaces --url and --token',
  },
  version: { env: undefined, alone: true, text: 'print the version and exit' },
  help: { env: undefined, alone: true, text: 'print this help and exit' },
} satisfies Record<string, { env: string | undefined; alone?: boolean; text: string }>
export type Flag = keyof typeof flags

/**
 * Accepts `--flag value`, `--flag=value` and `-flag value`. The last value of a flag counts; targets are
 * collected.
 */
export function readFlags(args: readonly string[]): Partial<Record<Flag, string[]>> {
  const found: Partial<Record<Flag, string[]>> = {}
  for (let at = 0; at < args.length; at++) {
    const [, name = '', value] = /^--?([a-z-]+)(?:=([^]*))?$/.exec(args[at]!) ?? []
    if (!isFlag(name)) throw new SettingsError(unknown(args[at]!))
    const text = value ?? ('alone' in flags[name] ? 'true' : args[++at])
    if (text === undefined) throw new SettingsError(`--${name} requires a value.`)
    found[name] = [...(found[name] ?? []), text]
  }
  return found
}

/** Every user of a host can read a program's arguments until the program has overwritten them. */
export const showsToken = (args: readonly string[]): boolean => {
  const { token, target } = readFlags(args)
  return token !== undefined || target !== undefined
}

const isFlag = (name: string): name is Flag => Object.hasOwn(flags, name)

/** Any other argument may be a token, so it is not repeated. */
const unknown = (arg: string) =>
  `${arg.startsWith('-') ? (/^--?[a-z-]{1,40}/.exec(arg)?.[0] ?? 'An argument') : 'A word without a flag'} is not known. See --help.`

export function usage(): string {
  const lines = Object.entries(flags).map(([name, { env, text }]) => {
    return `  --${name.padEnd(16)} ${(env ?? '').padEnd(28)} ${text}`
  })
  return ['Reports the containers of this host to Pulse.', '', ...lines, ''].join('\n')
}
