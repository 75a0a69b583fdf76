import { Theme } from '@pulse/contract'
import * as z from 'zod/mini'
import { createSettingsDocument, type SettingsDefinition, type SettingsEdges } from '../settings-document.ts'
import type { RowCache } from '../row-cache.ts'
import { createSignal, type OnSignal } from '../signal.ts'

/** Themes that users without the right to change the common theme have chosen for themselves. */
export interface ViewerThemes {
  cache: RowCache
  start(): Promise<void>
  /** by principal id; undefined if none is chosen */
  of(id: string): Theme | undefined
  /** An empty theme removes the choice. */
  choose(id: string, theme: Theme): Promise<void>
  /** fires after a choice, here or at another process, with the id of its principal */
  onChoice: OnSignal<[id: string]>
}

/** A proxy may name any number of users. Above this limit the oldest choice is dropped. */
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
  document.onChange((now, before) => {
    for (const id of new Set([...before.keys(), ...now.keys()]))
      if (now.get(id) !== before.get(id)) chosenBy.emit(id)
  })

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
    },
    onChoice: chosenBy.on,
  }
}
