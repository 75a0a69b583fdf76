import { Theme } from '@pulse/contract'
import * as z from 'zod/mini'
import type { SettingsStore } from '../db/settings.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { createMutex } from '../timing/concurrency.ts'

/** The themes that people without a say in everybody's have chosen for themselves. */
export interface ViewerThemes {
  start(): Promise<void>
  /** by the id of a principal; undefined while none is chosen */
  of(id: string): Theme | undefined
  /** Empty gives the choice up. */
  choose(id: string, theme: Theme): Promise<void>
  /** after a choice, by whom */
  onChoice: OnSignal<[id: string]>
}

/** Proxies name whom they like: the oldest choice goes when there are more. */
const MAX_KEPT = 1_000
const storeKey = 'viewer-themes'
const Stored = z.array(z.tuple([z.string(), Theme]))

export function viewerThemes({
  store,
  onWrite,
}: {
  store: Pick<SettingsStore, 'read' | 'write'>
  onWrite: () => void
}): ViewerThemes {
  let chosen: ReadonlyMap<string, Theme> = new Map()
  const inTurn = createMutex()
  const chosenBy = createSignal<[id: string]>()

  async function save(id: string, theme: Theme) {
    if ((chosen.get(id) ?? '') === theme) return
    const next = new Map(chosen)
    next.delete(id)
    if (theme) next.set(id, theme)
    if (next.size > MAX_KEPT) next.delete(next.keys().next().value!)
    await store.write(storeKey, JSON.stringify([...next]))
    chosen = next
    onWrite()
  }

  return {
    async start() {
      chosen = new Map(read(await store.read(storeKey)))
    },
    of: (id) => chosen.get(id),
    async choose(id, theme) {
      await inTurn(() => save(id, theme))
      chosenBy.tell(id)
    },
    onChoice: chosenBy.on,
  }
}

/** A look is not worth a start that fails: what cannot be read is chosen again. */
function read(text: string | undefined): [string, Theme][] {
  try {
    return Stored.parse(JSON.parse(text ?? '[]'))
  } catch {
    return []
  }
}
