import {
  type SettingsProblem,
  type SystemSettings,
  systemDefaults,
  SystemSettingsInput,
  type VersionInfo,
} from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../app-error.ts'
import type { OriginPolicy } from '../auth/origins.ts'
import type { TransferPart } from '../export-part.ts'
import { createSettingsDocument, type SettingsEdges } from '../settings-document.ts'
import { StartupError } from '../startup-error.ts'
import { systemDocument } from './document.ts'
import type { FixedSettings } from './environment.ts'
import { toOriginPolicy } from './origins.ts'
import { canonicalSettings, changedFields, mergeSettings, settingsProblems } from './settings.ts'
import { createSignal } from '../signal.ts'

/** Product-wide settings of the administrator. */
export interface SystemSettingsArea {
  exportParts: readonly TransferPart[]
  /** Blocks changes of the settings while `job` runs. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored settings again after a write by another process. */
  reload(): Promise<void>
  /** Loads the document and applies the fixed settings. Throws StartupError when these are unusable. */
  start(): Promise<void>
  /** the settings in effect */
  current(): SystemSettings
  defaults(): SystemSettings
  /** field and variable → true, for values that cannot be changed here */
  overrides(): Record<string, boolean>
  origins(): OriginPolicy
  /** Returns the names of the changed fields. */
  change(input: SystemSettingsInput): Promise<string[]>
  /** The problems that `change` would report. */
  problems(input: unknown): SettingsProblem[]
  /** Called after every change with a difference; returns the function that unsubscribes. */
  onChange(listener: SettingsListener): () => void
}

export type SettingsListener = (now: SystemSettings, before: SystemSettings) => void

export interface SystemSettingsEdges extends SettingsEdges {
  fixed: FixedSettings
  /** port of pages and API */
  port: number
  /** until a channel is chosen, a release candidate is offered further candidates */
  version: Pick<VersionInfo, 'channel'>
}

const portFields = ['frontendPort', 'backendPort'] as const

export function createSystemSettings({
  fixed,
  port,
  version,
  ...edges
}: SystemSettingsEdges): SystemSettingsArea {
  const { log } = edges
  const document = createSettingsDocument(systemDocument(fixed), edges)
  const defaults: SystemSettings = {
    ...systemDefaults,
    updateChannel: version.channel,
    frontendPort: port,
    backendPort: port,
  }
  const settingsChanged = createSignal<Parameters<SettingsListener>>()
  const names = [...fixed.by].flatMap(([field, by]) => (isVariable(by) ? [field, by] : [field]))
  const overrides = Object.fromEntries(names.map((name) => [name, true]))
  let current = inForce({})
  let origins = toOriginPolicy(current)

  function inForce(stored: SystemSettingsInput): SystemSettings {
    return mergeSettings(mergeSettings(defaults, stored), fixed.values)
  }

  document.onChange((stored) => {
    const before = current
    current = inForce(stored)
    origins = toOriginPolicy(current)
    if (changedFields(before, current).length === 0) return
    settingsChanged.emit(current, before)
  })

  /** A fixed value may be sent back unchanged; it is not stored. */
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

  /** Problems together with the fixed values, or once nothing is fixed any more. */
  function problemsOf(next: SystemSettingsInput): SettingsProblem[] {
    const found = settingsProblems(inForce(next))
    return found.length > 0 ? found : settingsProblems(mergeSettings(defaults, next))
  }

  return {
    exportParts: document.exportParts,
    runExclusive: document.runExclusive,
    reload: document.reload,
    async start() {
      await document.start()
      const [problem] = settingsProblems(current)
      if (!problem) return
      const by = fixed.by.get(problem.field) ?? [...new Set(fixed.by.values())].join(', ')
      throw new StartupError(
        `${by} cannot be used: ${problem.field}: ${problem.message}`,
        'Correct it there, or change the setting it contradicts.',
      )
    },
    current: () => current,
    defaults: () => defaults,
    overrides: () => overrides,
    origins: () => origins,
    async change(input) {
      let changed: string[] = []
      await document.change((stored) => {
        const { open, locked } = split(input)
        if (locked.length > 0) throw refusal('locked_by_environment', locked)
        const next = mergeSettings(stored, open)
        const problems = problemsOf(next)
        if (problems.length > 0) throw refusal('validation_failed', problems)
        changed = changedFields(current, inForce(next))
        return changed.length === 0 ? stored : next
      })
      if (changed.length > 0) log.info({ fields: changed }, 'system settings changed')
      return changed
    },
    problems(input) {
      const result = SystemSettingsInput.safeParse(input)
      if (!result.success) {
        return result.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
      }
      const { open, locked } = split(result.data)
      return [...locked, ...problemsOf(mergeSettings(document.current(), open))]
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
