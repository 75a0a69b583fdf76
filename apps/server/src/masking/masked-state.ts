import { META_ID, type RecordKind, recordKinds } from '@pulse/contract'
import type { KindPatch, StatePatch } from '@pulse/domain'
import type { State } from '../state/state.ts'
import type { Mask } from './mask.ts'

/** The state of a demonstration. Its readers never see a real host; writes go to the real state. */
export function maskedState(state: State, mask: Mask): State {
  const tables = tablesOf<unknown>()
  /** substitutes of ids that contain a host, by kind */
  const renamed = tablesOf<string>()
  const shownFor = new WeakMap<StatePatch, StatePatch>()

  function learn() {
    for (const { name } of state.tables.sources.values()) mask.learn(name)
  }

  /** A record keeps its shown id even after new hosts become known. */
  const idOf = (kind: RecordKind, id: string) =>
    renamed[kind].get(id) ?? (tables[kind].has(id) ? id : mask.id(id))

  function show(kind: RecordKind, id: string, record: unknown): [id: string, record: unknown] {
    const shown = [idOf(kind, id), mask.deep(record)] as [string, unknown]
    if (shown[0] !== id) renamed[kind].set(id, shown[0])
    tables[kind].set(...shown)
    return shown
  }

  function hide(kind: RecordKind, id: string): string {
    const shown = idOf(kind, id)
    renamed[kind].delete(id)
    tables[kind].delete(shown)
    return shown
  }

  const take = (kind: RecordKind, { put, remove }: KindPatch<unknown>): KindPatch<unknown> => ({
    put: new Map([...put].map(([id, record]) => show(kind, id, record))),
    remove: new Set([...remove].map((id) => hide(kind, id))),
  })

  learn()
  for (const kind of recordKinds()) {
    for (const [id, record] of state.tables[kind]) show(kind, id, record)
  }
  state.subscribe((patch) => {
    if (patch.sources) learn()
    const shown = Object.fromEntries(
      Object.entries(patch).map(([kind, changed]) => [
        kind,
        take(kind as RecordKind, changed as KindPatch<unknown>),
      ]),
    ) as StatePatch
    shownFor.set(patch, shown)
  })

  return {
    ...state,
    tables: tables as unknown as State['tables'],
    get meta() {
      return tables.meta.get(META_ID) as State['meta']
    },
    get version() {
      return state.version
    },
    // This listener was added first, so it runs before all others.
    subscribe: (reader) =>
      state.subscribe((patch) => {
        const shown = shownFor.get(patch)
        if (shown) reader(shown)
      }),
  }
}

const tablesOf = <T>() =>
  Object.fromEntries(recordKinds().map((kind) => [kind, new Map()])) as unknown as Record<
    RecordKind,
    Map<string, T>
  >
