import type { Logger } from 'pino'
import { type SettingsTable, UnreadableSettings } from './db/settings.ts'
import { listed, type TransferPart } from './export-part.ts'
import type { RowCache } from './row-cache.ts'
import { type SettingsExport, settingsPart } from './settings-export.ts'
import { createSignal, type OnSignal } from './signal.ts'
import { createMutex, type Mutex } from './timing/concurrency.ts'
import { usablePart } from './usable-part.ts'

/** How one document of settings is stored and read. */
export interface SettingsDefinition<T, Shown = T> {
  /** its row in the table of settings */
  key: string
  /** for people, such as `system settings` */
  name: string
  defaults: () => T
  /** Throws on what cannot be used. What `stored` leaves out has its default. */
  parse: (stored: unknown) => T
  /** What is stored of it as JSON, secrets included; default: the value itself. */
  serialize?: (value: T) => unknown
  /** What an administrator sees of it: secrets are masked. */
  shown?: (value: T) => Shown
  /**
   * `each`: an unreadable entry has its default, the others are in force. `whole`: the document has its defaults, because a
   * part of it could let in a stranger or send a secret elsewhere.
   */
  setAside: 'each' | 'whole'
  /** absent: exports do not carry the document */
  exported?: SettingsExport<T>
}

export interface SettingsEdges {
  store: SettingsTable
  log: Logger
  /** An administrator would miss it. */
  onWrite: () => void
  /** shows unreadable settings to administrators until they are saved again */
  troubles: { begin(id: string, message: string): void; end(id: string, message: string): void }
}

/** A document of settings: in the table, in memory, and in an export. */
export interface SettingsDocument<T, Shown = T> extends RowCache {
  /** Defaults until `start`. */
  current(): T
  shown(): Shown
  /** One change at a time, stored before it counts. A change that throws or answers the same object changes nothing. */
  change(to: (now: T) => T | Promise<T>): Promise<T>
  /** After a change and after a reload. */
  onChange: OnSignal<[now: T, before: T]>
  start(): Promise<void>
  /** They read the table: the area may not have started. Empty when exports do not carry the document. */
  exportParts: readonly TransferPart[]
}

interface Read<T> {
  value: T
  isDefault: boolean
  /** what cannot be used; undefined means all of it */
  unreadable?: { entries: string[] | undefined; text: string | undefined }
}

export function createSettingsDocument<T, Shown = T>(
  definition: SettingsDefinition<T, Shown>,
  { store, log, onWrite, troubles }: SettingsEdges,
  /** shared by documents that change together */
  mutex: Mutex = createMutex(),
): SettingsDocument<T, Shown> {
  const { key, name, defaults, exported, serialize = (value) => value } = definition
  const trouble = `settings-${key}`
  const changed = createSignal<[now: T, before: T]>()
  const toText = (value: T) => JSON.stringify(serialize(value))
  let current = defaults()

  function use(next: T) {
    const before = current
    current = next
    changed.tell(next, before)
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

  /** No error is kept: it may quote a secret. */
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
    use(value)
  }

  async function report({ entries, text }: NonNullable<Read<T>['unreadable']>) {
    const what = entries
      ? `Some of the ${name} could not be read and have their defaults: ${listed(entries)}.`
      : `The ${name} could not be read as a whole and have their defaults.`
    troubles.begin(trouble, `${what} Check them and save them again.`)
    if (text === undefined) return
    // the next change overwrites the document
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
