import { type AlertConfig, getAlertConfig, putAlertConfig } from '@pulse/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { useLiveEvent, useReconnected } from '../../live/use-live.ts'
import { toSaved } from './saved-form.ts'
import type { Unsaved } from './unsaved-edits.ts'

/** The same configuration when there is nothing to change in it. */
type Edit = (config: AlertConfig) => AlertConfig

export interface ConfigEdits extends Unsaved {
  /** as stored, with the edits; undefined until it was loaded */
  config: AlertConfig | undefined
  isActive: boolean | undefined
  /** why it is not there */
  error: Error | null
  change(edit: Edit): void
  reload(): Promise<unknown>
}

const EditsContext = createContext<ConfigEdits | undefined>(undefined)

/** Around all sections: leaving one for another loses no edits. */
export function ConfigEditsProvider({ children }: { children: ReactNode }) {
  return <EditsContext value={useEditing()}>{children}</EditsContext>
}

export function useConfigEdits(): ConfigEdits {
  const edits = useContext(EditsContext)
  if (!edits) throw new Error('ConfigEditsProvider is missing')
  return edits
}

/** Within a section, which is drawn only once the configuration is there. */
export function useConfig(): { config: AlertConfig; change: ConfigEdits['change'] } {
  const { config, change } = useConfigEdits()
  if (!config) throw new Error('The configuration is not loaded')
  return { config, change }
}

export const configKey = [getAlertConfig.path] as const

/** Edits are kept as what they do, so that what another browser saved meanwhile stays. */
interface Draft {
  edits: readonly Edit[]
  /** what they were done to, and what came of it: they are not all done again with each one that is added */
  base: AlertConfig | undefined
  config: AlertConfig | undefined
}

const noDraft: Draft = { edits: [], base: undefined, config: undefined }

const applied = (config: AlertConfig, edits: readonly Edit[]) =>
  edits.reduce((before, edit) => edit(before), config)

const configOf = (stored: AlertConfig, { edits, base, config }: Draft): AlertConfig =>
  config && base === stored ? config : applied(stored, edits)

function useEditing(): ConfigEdits {
  const api = useApi()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(noDraft)
  const { edits } = draft
  const load = async ({ signal }: { signal?: AbortSignal } = {}) =>
    api.call(getAlertConfig, { query: { keys: 'stable' }, ...(signal && { signal }) })
  const { data, error, refetch } = useQuery({ queryKey: configKey, queryFn: load })
  const config = useMemo(() => data && configOf(data, draft), [data, draft])
  useReconnected(() => void refetch())
  useLiveEvent('alertConfigChanged', () => void refetch())

  return {
    config,
    isActive: data && data.activationState === 'active',
    error,
    isDirty: edits.length > 0,
    change(edit) {
      if (!data) return
      setDraft((before) => {
        const now = configOf(data, before)
        const after = edit(now)
        return after === now ? before : { edits: [...before.edits, edit], base: data, config: after }
      })
    },
    async save() {
      const saved = toSaved(applied(await load(), edits))
      await api.call(putAlertConfig, { body: saved })
      queries.setQueryData<AlertConfig>(configKey, (before) => before && { ...before, ...saved })
      // what was changed while saving stays
      setDraft((now) => ({ ...noDraft, edits: now.edits.filter((edit) => !edits.includes(edit)) }))
      await queries.invalidateQueries({ queryKey: configKey })
    },
    async discard() {
      await refetch({ throwOnError: true })
      setDraft(noDraft)
    },
    reload: refetch,
  }
}
