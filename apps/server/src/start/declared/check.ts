import fs from 'node:fs'
import {
  monitorFlags,
  minPasswordLength,
  type NodeInput,
  type OidcConfigInput,
  type SystemSettingsInput,
  systemDefaults,
} from '@pulse/contract'
import { guestUrlProblem, Secret } from '@pulse/domain'
import path from 'node:path'
import { AppError } from '../../app-error.ts'
import { accountKey } from '../../auth/account-key.ts'
import { defaultSettings, mergeSettings as mergeOidc, settingsProblem } from '../../oidc/settings.ts'
import { isPasswordHash } from '../../auth/password.ts'
import type { DeclaredUser } from '../../auth/fixed-users.ts'
import { newConnection } from '../../node-config/input.ts'
import { type FixedSwitch, toSwitch } from '../../temperature/fixed.ts'
import { isHostName } from '../../temperature/names.ts'
import { type FixedSettings, nothingFixed } from '../../settings/environment.ts'
import { canonicalSettings, mergeSettings, settingsProblems } from '../../settings/settings.ts'
import { DeclaredProblem, pathOf, problemOf } from './problem.ts'
import { DeclaredFile, type DeclaredNodeInput, type DeclaredUserInput } from './schema.ts'

/** A declared node, with defaults for the fields that the file leaves out. */
export interface DeclaredNode {
  /** its place in the file */
  at: string
  kind: NodeInput['type']
  name: string
  /** https://host:port */
  host: string
  temperatures: FixedSwitch[]
  /** A function, because the result contains the plain secret. */
  input: () => NodeInput
}

/** The content of pulse.yaml, checked as far as possible without the database. */
export interface Declared {
  file: string
  settings: FixedSettings
  nodes: DeclaredNode[]
  temperatures: FixedSwitch[]
  users: DeclaredUser[]
  oidc: OidcConfigInput
  /** guest id → address */
  guestUrls: ReadonlyMap<string, string>
  /** the file itself contains a secret */
  holdsSecrets: boolean
}

/** Throws DeclaredProblem for the first invalid value. */
export function checkDeclared(value: unknown, file: string): Declared {
  const result = DeclaredFile.safeParse(value ?? {})
  if (!result.success) throw problemOf(result.error)
  const { settings, nodes, users, oidc, guestUrls } = result.data
  const folder = path.dirname(file)
  const checkedNodes = checkNodes(nodes ?? [], file)
  return {
    file,
    settings: settings ? checkSettings(settings, path.basename(file)) : nothingFixed,
    nodes: checkedNodes,
    temperatures: checkedNodes.flatMap((node) => node.temperatures),
    users: checkUsers(users ?? [], folder),
    oidc: oidc ? checkOidc(oidc, folder) : {},
    guestUrls: checkGuestUrls(guestUrls ?? {}),
    holdsSecrets: [...(nodes ?? []), ...(users ?? []), oidc ?? {}].some((entry) =>
      ['password', 'tokenValue', 'passwordHash', 'clientSecret'].some((key) => Object.hasOwn(entry, key)),
    ),
  }
}

function checkSettings(values: SystemSettingsInput, fileName: string): FixedSettings {
  const canonical = canonicalSettings(values)
  const [problem] = settingsProblems(mergeSettings(systemDefaults, canonical))
  if (problem) throw new DeclaredProblem(`settings.${problem.field}`, problem.message)
  const { discoveryConfig = {}, ...rest } = canonical
  const parts = Object.keys(discoveryConfig).map((part) => `discoveryConfig.${part}`)
  return {
    values: canonical,
    by: new Map([...Object.keys(rest), ...parts].map((field) => [field, fileName])),
  }
}

function checkNodes(inputs: readonly DeclaredNodeInput[], file: string): DeclaredNode[] {
  const nodes = inputs.map((input, i) => checkNode(input, `nodes[${i}]`, file))
  refuseRepeats(nodes, 'name', ({ name }) => name.toLowerCase())
  refuseRepeats(nodes, 'host', ({ kind, host }) => `${kind} ${host}`)
  return nodes
}

function checkNode(declared: DeclaredNodeInput, at: string, file: string): DeclaredNode {
  const { passwordFile, tokenValueFile, temperatures, ...given } = declared
  const folder = path.dirname(file)
  const flags = monitorFlags[given.type]
  for (const key of Object.keys(given)) {
    if (!key.startsWith('monitor') || Object.hasOwn(flags, key)) continue
    throw new DeclaredProblem(`${at}.${key}`, `A node of type ${given.type} has no such switch.`)
  }
  if (temperatures && given.type !== 'pve') {
    throw new DeclaredProblem(`${at}.temperatures`, `A node of type ${given.type} has no temperatures.`)
  }
  const password = oneOf(given.password, passwordFile, `${at}.password`, folder)
  const tokenValue = oneOf(given.tokenValue, tokenValueFile, `${at}.tokenValue`, folder)
  if (password !== undefined && tokenValue !== undefined) {
    throw new DeclaredProblem(at, 'Give a password or a token, not both.')
  }
  const input = (): NodeInput => ({
    ...flags,
    ...given,
    fingerprint: given.fingerprint ?? '',
    site: given.site ?? '',
    verifySSL: given.verifySSL ?? true,
    ...(password === undefined ? {} : { password }),
    ...(tokenValue === undefined ? {} : { tokenValue }),
  })
  try {
    const { kind, name, host } = newConnection('declared', input())
    const switches = checkSwitches(temperatures ?? {}, at).map((one) => ({
      instance: name,
      by: path.basename(file),
      ...one,
    }))
    return { at, kind, name, host, temperatures: switches, input }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [field] = Object.keys(error.details ?? {})
    // The message must not repeat an address that contains a password.
    const message = error.message.replaceAll(given.host, '…')
    throw new DeclaredProblem(field === undefined ? at : `${at}.${field}`, message)
  }
}

function checkSwitches(switches: Record<string, boolean | number>, at: string) {
  return Object.entries(switches).map(([node, value]) => {
    if (!isHostName(node)) {
      throw new DeclaredProblem(`${at}.${pathOf(['temperatures', node])}`, 'This is not a valid node name.')
    }
    return { node, ...toSwitch(value) }
  })
}

function checkUsers(inputs: readonly DeclaredUserInput[], folder: string): DeclaredUser[] {
  const users = inputs.map(({ name, role, passwordHash, passwordFile }, i) => {
    const at = `users[${i}]`
    if (accountKey(name) === '') throw new DeclaredProblem(`${at}.name`, 'Enter a name.')
    if (passwordHash !== undefined && !isPasswordHash(passwordHash)) {
      throw new DeclaredProblem(
        `${at}.passwordHash`,
        'Give a bcrypt hash, or an argon2id hash as Pulse makes them.',
      )
    }
    const text = oneOf(passwordHash, passwordFile, `${at}.password`, folder)
    if (text === undefined) throw new DeclaredProblem(at, 'Give passwordHash or passwordFile.')
    if (passwordHash === undefined && text.length < minPasswordLength) {
      throw new DeclaredProblem(`${at}.passwordFile`, 'Password must be at least 8 characters.')
    }
    return { name, role, password: new Secret(text) }
  })
  const located = users.map((user, i) => ({ ...user, at: `users[${i}]` }))
  refuseRepeats(located, 'name', ({ name }) => accountKey(name))
  return users
}

function checkOidc(declared: NonNullable<DeclaredFile['oidc']>, folder: string): OidcConfigInput {
  const { clientSecretFile, ...given } = declared
  const secret = oneOf(given.clientSecret, clientSecretFile, 'oidc.clientSecret', folder)
  const values: OidcConfigInput = {
    ...given,
    enabled: given.enabled ?? true,
    ...(secret === undefined ? {} : { clientSecret: secret }),
  }
  const problem = settingsProblem(mergeOidc(defaultSettings, values))
  if (problem) throw new DeclaredProblem(`oidc.${problem.field}`, problem.message)
  return values
}

function checkGuestUrls(urls: Record<string, string>): ReadonlyMap<string, string> {
  for (const [guestId, url] of Object.entries(urls)) {
    const problem = guestUrlProblem(url)
    if (problem) throw new DeclaredProblem(pathOf(['guestUrls', guestId]), `${problem}.`)
  }
  return new Map(Object.entries(urls))
}

/** A secret from the file itself or from a separate file. */
function oneOf(inline: string | undefined, file: string | undefined, at: string, folder: string) {
  if (file === undefined) return inline
  if (inline !== undefined)
    throw new DeclaredProblem(at, 'Give the secret or the name of its file, not both.')
  return readSecretFile(folder, file, `${at}File`)
}

function refuseRepeats<T extends { at: string }>(
  all: readonly T[],
  field: string,
  keyOf: (one: T) => string,
) {
  const seen = new Map<string, string>()
  for (const one of all) {
    const first = seen.get(keyOf(one))
    if (first !== undefined)
      throw new DeclaredProblem(`${one.at}.${field}`, `${first} has the same ${field}.`)
    seen.set(keyOf(one), one.at)
  }
}

const MAX_BYTES = 8192

/** The text of a file with one secret, without its line end. */
function readSecretFile(folder: string, name: string, at: string): string {
  const file = path.resolve(folder, name)
  let text: string
  try {
    if (fs.statSync(file).size > MAX_BYTES) throw new Error('is larger than a secret can be')
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new DeclaredProblem(at, `${file} cannot be read (${code ?? message}).`)
  }
  const secret = text.replace(/\r?\n$/, '')
  if (secret.trim() === '') throw new DeclaredProblem(at, `${file} is empty.`)
  return secret
}
