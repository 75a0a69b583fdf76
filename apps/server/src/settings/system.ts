import {
  type SettingsProblem,
  type SystemSettings,
  systemDefaults,
  SystemSettingsInput,
  type VersionInfo,
} from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { OriginPolicy } from '../auth/origins.ts'
import type { SettingsStore } from '../db/settings.ts'
import { StartupError } from '../startup-error.ts'
import type { FixedSettings } from './environment.ts'
import { toOriginPolicy } from './origins.ts'
import {
  canonicalSettings,
  changedFields,
  fromStored,
  mergeSettings,
  settingsProblems,
  toStored,
} from './settings.ts'
import { createSignal } from '../signal.ts'
import { createMutex } from '../timing/concurrency.ts'

/** What an administrator sets for the whole product. */
export interface SystemSettingsArea {
  /** Nothing changes here while `job` runs. */
  inTurn<T>(job: () => Promise<T>): Promise<T>
  /** Takes up what is stored now, after somebody else has written in turn. */
  reload(): Promise<void>
  /** Loads what is stored and lays what is fixed over it; throws StartupError when that cannot work. */
  start(): Promise<void>
  /** as they are in force */
  current(): SystemSettings
  defaults(): SystemSettings
  /** field and variable → true, for what cannot be changed here */
  overrides(): Record<string, boolean>
  origins(): OriginPolicy
  /** The names of the fields that are different now. */
  change(input: SystemSettingsInput): Promise<string[]>
  /** What `change` would object to. */
  problems(input: unknown): SettingsProblem[]
  /** Called after every change that made a difference; ends with the function it answers. */
  onChange(listener: SettingsListener): () => void
}

export type SettingsListener = (now: SystemSettings, before: SystemSettings) => void

export interface SystemSettingsEdges {
  store: Pick<SettingsStore, 'read' | 'write'>
  fixed: FixedSettings
  /** where pages and API are served */
  port: number
  /** who runs a candidate hears of the next one, until a channel is chosen */
  version: Pick<VersionInfo, 'channel'>
  log: Logger
  onWrite: () => void
}

const storeKey = 'system'
const portFields = ['frontendPort', 'backendPort'] as const

export function createSystemSettings({
  store,
  fixed,
  port,
  version,
  log,
  onWrite,
}: SystemSettingsEdges): SystemSettingsArea {
  const defaults: SystemSettings = {
    ...systemDefaults,
    updateChannel: version.channel,
    frontendPort: port,
    backendPort: port,
  }
  const settingsChanged = createSignal<Parameters<SettingsListener>>()
  const names = [...fixed.by].flatMap(([field, by]) => (isVariable(by) ? [field, by] : [field]))
  const overrides = Object.fromEntries(names.map((name) => [name, true]))
  let stored: SystemSettingsInput = {}
  let current = inForce(stored)
  let origins = toOriginPolicy(current)
  /** One change at a time, so that none is lost. */
  const inTurn = createMutex()

  function inForce(stored: SystemSettingsInput): SystemSettings {
    return mergeSettings(mergeSettings(defaults, stored), fixed.values)
  }

  function use(next: SystemSettingsInput) {
    const before = current
    stored = next
    current = inForce(next)
    origins = toOriginPolicy(current)
    if (changedFields(before, current).length === 0) return
    settingsChanged.tell(current, before)
  }

  async function reload() {
    const text = await store.read(storeKey)
    use(text === undefined ? {} : readStored(text))
  }

  /** What is fixed may be sent back as it is; it is not stored. */
  function split(input: SystemSettingsInput): { open: SystemSettingsInput; locked: SettingsProblem[] } {
    const open = structuredClone(canonicalSettings(input)) as Record<string, unknown>
    const locked: SettingsProblem[] = []
    const take = (from: Record<string, unknown>, field: string, path: string, message: string) => {
      if (from[field] === undefined) return
      if (!isDeepStrictEqual(from[field], valueAt(current, path))) locked.push({ field: path, message })
      delete from[field]
    }
    for (const [path, by] of fixed.by) {
      const [top, part] = path.split('.') as [string, string?]
      const from = part === undefined ? open : open[top]
      if (from) take(from as Record<string, unknown>, part ?? top, path, lockText(path, by))
    }
    for (const field of portFields) {
      take(open, field, field, 'The port is set with FRONTEND_PORT. Change it there and restart Pulse.')
    }
    return { open: open as SystemSettingsInput, locked }
  }

  /** Wrong together with what is fixed now, or wrong once nothing is. */
  function problemsOf(next: SystemSettingsInput): SettingsProblem[] {
    const found = settingsProblems(inForce(next))
    return found.length > 0 ? found : settingsProblems(mergeSettings(defaults, next))
  }

  return {
    inTurn,
    reload,
    start: () =>
      inTurn(async () => {
        await reload()
        const [problem] = settingsProblems(current)
        if (problem) {
          const by = fixed.by.get(problem.field) ?? [...new Set(fixed.by.values())].join(', ')
          throw new StartupError(
            `${by} cannot be used: ${problem.field}: ${problem.message}`,
            'Correct it there, or change the setting it contradicts.',
          )
        }
      }),
    current: () => current,
    defaults: () => defaults,
    overrides: () => overrides,
    origins: () => origins,
    change: (input) =>
      inTurn(async () => {
        const { open, locked } = split(input)
        if (locked.length > 0) throw refusal('locked_by_environment', locked)
        const next = mergeSettings(stored, open)
        const problems = problemsOf(next)
        if (problems.length > 0) throw refusal('validation_failed', problems)
        const changed = changedFields(current, inForce(next))
        if (changed.length === 0) return []
        await store.write(storeKey, toStored(next))
        onWrite()
        log.info({ fields: changed }, 'the system settings were changed')
        use(next)
        return changed
      }),
    problems(input) {
      const result = SystemSettingsInput.safeParse(input)
      if (!result.success) {
        return result.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
      }
      const { open, locked } = split(result.data)
      return [...locked, ...problemsOf(mergeSettings(stored, open))]
    },
    onChange: settingsChanged.on,
  }
}

const isVariable = (name: string) => /^[A-Z][A-Z0-9_]*$/.test(name)

function valueAt(settings: SystemSettings, path: string): unknown {
  let value: unknown = settings
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key]
  return value
}

const lockText = (field: string, by: string) =>
  `${field} is fixed by ${by}. Change it there and restart Pulse.`

const refusal = (code: 'locked_by_environment' | 'validation_failed', problems: SettingsProblem[]) =>
  new AppError(code, problems[0]!.message, {
    details: Object.fromEntries(problems.map(({ field, message }) => [field, message])),
  })

function readStored(text: string): SystemSettingsInput {
  try {
    return fromStored(text)
  } catch (cause) {
    throw new StartupError(
      'The stored system settings cannot be read.',
      'Restore the data folder from a backup, or start the version of Pulse that wrote them.',
      { cause },
    )
  }
}
