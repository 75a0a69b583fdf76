import { getSystemSettings, postSystemSettings, type SystemSettings } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { ApiError } from '../../../api/request.ts'
import { useChange } from '../../../api/use-change.ts'
import { forgetCheck } from '../../../parts/updates/known-update.ts'
import { toast } from '../../../ui/toast.ts'
import { wordsOf } from '../../../api/reason.ts'

/** What is saved together, by the buttons of the frame; everything else on the page is saved at once. */
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

export type Edits = Partial<Pick<SystemSettings, EditedField>>
type Problems = Readonly<Partial<Record<string, string>>>

export interface SystemEdits {
  edits: Edits
  isDirty: boolean
  isSaving: boolean
  /** what the server objected to, by field */
  problems: Problems
  /** An edit that brings back the stored value is none. */
  change(edits: Edits, stored: SystemSettings): void
  save(): void
  discard(): void
}

const reloadAfterMs = 3_000

const EditsContext = createContext<SystemEdits | undefined>(undefined)

/** Around all sections: leaving one for another loses no edits. */
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
  const [edits, setEdits] = useState<Edits>({})
  const [problems, setProblems] = useState<Problems>({})
  const reload = () => queries.invalidateQueries({ queryKey: [getSystemSettings.path] })

  const save = useChange({
    mutationFn: (sent: Edits) => api.call(postSystemSettings, { body: sent }),
    onSuccess: async (_reply, sent) => {
      if (sent.updateChannel !== undefined) forgetCheck()
      toast.success('Settings saved successfully. Reloading...', reloadAfterMs)
      setTimeout(() => window.location.reload(), reloadAfterMs)
      await reload()
      // what was typed while saving stays
      setEdits((now) => without(now, ([field, value]) => sent[field] === value))
    },
    onError: (error) => {
      setProblems(detailsOf(error))
      toast.error(wordsOf(error, 'Failed to save settings'))
    },
  })

  return {
    edits,
    isDirty: Object.keys(edits).length > 0,
    isSaving: save.isPending,
    problems,
    change(change, stored) {
      setEdits((before) => without({ ...before, ...change }, ([field, value]) => stored[field] === value))
      setProblems((before) => without(before, ([field]) => Object.hasOwn(change, field)))
    },
    save() {
      setProblems({})
      save.mutate(edits)
    },
    discard() {
      setEdits({})
      setProblems({})
      void reload()
    },
  }
}

type EntryOf<T> = [keyof T, T[keyof T]]

const without = <T extends object>(record: T, isOut: (entry: EntryOf<T>) => boolean): T =>
  Object.fromEntries(Object.entries(record).filter((entry) => !isOut(entry as EntryOf<T>))) as T

function detailsOf(error: Error): Problems {
  const { details } = (error instanceof ApiError ? (error.body ?? {}) : {}) as { details?: Problems }
  return details ?? {}
}
