import { META_ID, type RecordKind, recordKinds } from '@pulse/contract'
import type { KindPatch, StatePatch } from '@pulse/domain'
import type { State } from '../state/state.ts'
import type { Mask } from './mask.ts'

/** The state as a demonstration shows it. Whoever reads this one never sees a real host; writes go to the real one. */
export function maskedState(state: State, mask: Mask): State {
  const tables = Object.fromEntries(recordKinds().map((kind) => [kind, new Map()])) as Record<
    RecordKind,
    Map<string, unknown>
  >
  const shownFor = new WeakMap<StatePatch, StatePatch>()

  function learn() {
    for (const { name } of state.tables.sources.values()) mask.learn(name)
  }

  function take(kind: RecordKind, { put, remove }: KindPatch<unknown>): KindPatch<unknown> {
    const shown = new Map([...put].map(([id, record]) => [id, mask.deep(record)]))
    for (const [id, record] of shown) tables[kind].set(id, record)
    for (const id of remove) tables[kind].delete(id)
    return { put: shown, remove }
  }

  learn()
  for (const kind of recordKinds()) {
    for (const [id, record] of state.tables[kind]) tables[kind].set(id, mask.deep(record as unknown))
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
    // The one above came first: it is told before all of these.
    subscribe: (reader) =>
      state.subscribe((patch) => {
        const shown = shownFor.get(patch)
        if (shown) reader(shown)
      }),
  }
}
