import { Theme } from '@pulse/contract'
import * as z from 'zod/mini'
import { createSettingsDocument, type SettingsDefinition, type SettingsEdges } from '../settings-document.ts'
import type { RowCache } from '../row-cache.ts'
import { createSignal, type OnSignal } from '../signal.ts'

/** Themes that accounts without the right to change everybody's have chosen for themselves. */
export interface ViewerThemes {
  cache: RowCache
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
const Stored = z.array(z.tuple([z.string(), Theme]))
type Themes = ReadonlyMap<string, Theme>

const definition: SettingsDefinition<Themes> = {
  key: 'viewer-themes',
  name: 'themes of viewers',
  defaults: () => new Map(),
  parse: (stored) => new Map(Stored.parse(stored)),
  serialize: (themes) => [...themes],
  setAside: 'each',
}

export function viewerThemes(edges: SettingsEdges): ViewerThemes {
  const document = createSettingsDocument(definition, edges)
  const chosenBy = createSignal<[id: string]>()

  function withChoice(themes: Themes, id: string, theme: Theme): Themes {
    if ((themes.get(id) ?? '') === theme) return themes
    const next = new Map(themes)
    next.delete(id)
    if (theme) next.set(id, theme)
    if (next.size > MAX_KEPT) next.delete(next.keys().next().value!)
    return next
  }

  return {
    cache: document,
    start: document.start,
    of: (id) => document.current().get(id),
    async choose(id, theme) {
      await document.change((themes) => withChoice(themes, id, theme))
      chosenBy.tell(id)
    },
    onChoice: chosenBy.on,
  }
}
