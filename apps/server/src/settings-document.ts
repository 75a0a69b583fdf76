import type { Logger } from 'pino'
import { type SettingsTable, UnreadableSettings } from './db/settings.ts'
import { listed, type TransferPart } from './export-part.ts'
import type { RowCache } from './row-cache.ts'
import { type SettingsExport, settingsPart } from './settings-export.ts'
import { createSignal, type OnSignal } from './signal.ts'
import { createMutex, type Mutex } from './timing/concurrency.ts'
import { usablePart } from './usable-part.ts'

/** How a settings document is stored and read. */
export interface SettingsDefinition<T, Shown = T> {
  /** its row in the table of settings */
  key: string
  /** shown to users, such as `system settings` */
  name: string
  defaults: () => T
  /** Throws on unusable values. Fields that `stored` leaves out get their defaults. */
  parse: (stored: unknown) => T
  /** The stored JSON value, including secrets; default: the value itself. */
  serialize?: (value: T) => unknown
  /** The value as administrators see it, with masked secrets. */
  shown?: (value: T) => Shown
  /**
   * `each`: an unreadable entry gets its default, the others stay in effect. `whole`: the whole document gets
   * its defaults, because one default among other values could grant access or send a secret elsewhere.
   */
  setAside: 'each' | 'whole'
  /** absent: exports do not carry the document */
  exported?: SettingsExport<T>
}

export interface SettingsEdges {
  store: SettingsTable
  log: Logger
  /** Called after a write that an administrator would miss. */
  onWrite: () => void
  /** shows unreadable settings to administrators until they are saved again */
  troubles: { begin(id: string, message: string): void; end(id: string, message: string): void }
}

/** A settings document: in the table, in memory, and in an export. */
export interface SettingsDocument<T, Shown = T> extends RowCache {
  /** Returns the defaults until `start`. */
  current(): T
  shown(): Shown
  /**
   * Changes run one at a time and are stored before they take effect. A change that throws, or returns the
   * same object, has no effect.
   */
  change(to: (now: T) => T | Promise<T>): Promise<T>
  /** Fires after a change, after the start, and after a reload that has found another value. */
  onChange: OnSignal<[now: T, before: T]>
  start(): Promise<void>
  /** Read the table directly, because the area may not have started. Empty when exports omit the document. */
  exportParts: readonly TransferPart[]
}

interface Read<T> {
  value: T
  isDefault: boolean
  /** unusable entries; undefined: the whole document */
  unreadable?: { entries: string[] | undefined; text: string | undefined }
}

export function createSettingsDocument<T, Shown = T>(
  definition: SettingsDefinition<T, Shown>,
  { store, log, onWrite, troubles }: SettingsEdges,
  /** shared by documents that may not change at the same time */
  mutex: Mutex = createMutex(),
): SettingsDocument<T, Shown> {
  const { key, name, defaults, exported, serialize = (value) => value } = definition
  const trouble = `settings-${key}`
  const changed = createSignal<[now: T, before: T]>()
  const toText = (value: T) => JSON.stringify(serialize(value))
  let current = defaults()
  let hasStarted = false

  function use(next: T) {
    const before = current
    current = next
    changed.emit(next, before)
  }

  async function read(): Promise<Read<T>> {
    let text: string | undefined
    try {
      text = await store.read(key)
    } catch (error) {
      if (!(error instanceof UnreadableSettings)) throw error
      return { value: defaults(), isDefault: true, unreadable: { entries: undefined, text } }
    }
    return text === undefined ? { value: defaults(), isDefault: true } : parsed(text)
  }

  /** The error is discarded because it may quote a secret. */
  function parsed(text: string): Read<T> {
    const usable = (stored: unknown) => {
      try {
        return { value: definition.parse(stored), isDefault: false }
      } catch {
        return undefined
      }
    }
    const stored = jsonOf(text)
    const whole = stored === undefined ? undefined : usable(stored)
    if (whole) return whole
    const none: Read<T> = { value: defaults(), isDefault: true, unreadable: { entries: undefined, text } }
    if (stored === undefined || definition.setAside === 'whole') return none
    const part = usablePart(stored, (candidate) => usable(candidate) !== undefined)
    const rest = part && usable(part.value)
    return part && rest ? { ...rest, unreadable: { entries: part.unusable, text } } : none
  }

  async function reload() {
    const { value, unreadable } = await read()
    if (unreadable) await report(unreadable)
    else wellAgain()
    // other rows of the table have changed
    if (hasStarted && toText(value) === toText(current)) return
    hasStarted = true
    use(value)
  }

  async function report({ entries, text }: NonNullable<Read<T>['unreadable']>) {
    const what = entries
      ? `Some of the ${name} could not be read and have their defaults: ${listed(entries)}.`
      : `The ${name} could not be read as a whole and have their defaults.`
    troubles.begin(trouble, `${what} Check them and save them again.`)
    if (text === undefined) return
    // keeps a copy, because the next change overwrites the document
    await store
      .write(`${key}.set-aside`, text)
      .catch((err: unknown) => log.error({ err, key }, 'cannot keep a copy of unreadable settings'))
  }

  const wellAgain = () => troubles.end(trouble, `The ${name} can be read again.`)

  return {
    current: () => current,
    shown: () => (definition.shown ?? ((value) => value as unknown as Shown))(current),
    change: (to) =>
      mutex(async () => {
        const next = await to(current)
        if (next === current) return current
        await store.write(key, toText(next))
        onWrite()
        wellAgain()
        use(next)
        return next
      }),
    onChange: changed.on,
    tables: ['settings'],
    runExclusive: mutex,
    reload,
    start: () => mutex(reload),
    exportParts: exported
      ? [
          settingsPart(exported, {
            serialize,
            stored: read,
            writing: (value) => store.writing(key, toText(value)),
          }),
        ]
      : [],
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
