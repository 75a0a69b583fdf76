import { getSystemSettings, postSystemSettings, type SystemSettings } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useEdited, useEditStore } from '../../../parts/sections/edit-stores.tsx'
import { useChange } from '../../../api/use-change.ts'
import { clearCheck } from '../../../parts/updates/known-update.ts'
import { toast } from '../../../ui/toast.ts'
import { problemsOf, wordsOf } from '../../../api/reason.ts'

/** Fields saved together by the frame's buttons. All other settings on the page are saved immediately. */
export type EditedField =
  | 'allowedOrigins'
  | 'allowEmbedding'
  | 'allowedEmbedOrigins'
  | 'updateChannel'
  | 'autoUpdateEnabled'
  | 'autoUpdateCheckInterval'
  | 'autoUpdateTime'
  | 'backupPollingEnabled'
  | 'backupPollingInterval'
  | 'historyRawHours'
  | 'historyMinuteDays'
  | 'historyQuarterHourMonths'
  | 'historyDayYears'

export type Edits = Partial<Pick<SystemSettings, EditedField>>
type Problems = Readonly<Partial<Record<string, string>>>

export interface SystemEdits {
  /** differences from the stored values */
  edits: Edits
  /** stored values with the edits applied; undefined until loaded */
  shown: SystemSettings | undefined
  /** Called after the settings have been loaded. */
  rebase(stored: SystemSettings): void
  isDirty: boolean
  isSaving: boolean
  /** the server's objections, by field */
  problems: Problems
  /** Restoring the stored value is not an edit. */
  change(edits: Edits): void
  save(then?: (isSaved: boolean) => void): void
  discard(): void
}

const reloadAfterMs = 3_000

const EditsContext = createContext<SystemEdits | undefined>(undefined)

/** Wraps all sections, so that edits survive a change of section. */
export function SystemEditsProvider({ children }: { children: ReactNode }) {
  return <EditsContext value={useEditing()}>{children}</EditsContext>
}

export function useSystemEdits(): SystemEdits {
  const edits = useContext(EditsContext)
  if (!edits) throw new Error('SystemEditsProvider is missing')
  return edits
}

function useEditing(): SystemEdits {
  const api = useApi()
  const queries = useQueryClient()
  const store = useEditStore<SystemSettings>(postSystemSettings.path)
  const { shown, isDirty } = useEdited(store)
  const [problems, setProblems] = useState<Problems>({})
  const reload = () => queries.invalidateQueries({ queryKey: [getSystemSettings.path] })

  const save = useChange({
    mutationFn: () =>
      store.save({
        load: () => api.call(getSystemSettings),
        async send(settings, stored) {
          const changed = without(settings, ([field, value]) => stored[field] === value)
          await api.call(postSystemSettings, { body: changed })
          if (changed.updateChannel !== undefined) clearCheck()
          return settings
        },
      }),
    onSuccess: async () => {
      toast.success('Settings saved successfully. Reloading...', reloadAfterMs)
      setTimeout(() => window.location.reload(), reloadAfterMs)
      await reload()
    },
    onError: (error) => {
      setProblems(problemsOf(error))
      toast.error(wordsOf(error, 'Failed to save settings'))
    },
  })

  const base = store.base()
  return {
    edits: without(shown ?? {}, ([field, value]) => (base as Partial<SystemSettings>)[field] === value),
    shown,
    rebase: store.rebase,
    isDirty,
    isSaving: save.isPending,
    problems,
    change(change) {
      store.change((settings) => ({ ...settings, ...change }))
      setProblems((before) => without(before, ([field]) => Object.hasOwn(change, field)))
    },
    save(then) {
      setProblems({})
      save.mutate(undefined, { onSuccess: () => then?.(true), onError: () => then?.(false) })
    },
    discard() {
      store.discard()
      setProblems({})
      void reload()
    },
  }
}

type EntryOf<T> = [keyof T, T[keyof T]]

const without = <T extends object>(record: T, isOut: (entry: EntryOf<T>) => boolean): T =>
  Object.fromEntries(Object.entries(record).filter((entry) => !isOut(entry as EntryOf<T>))) as T
