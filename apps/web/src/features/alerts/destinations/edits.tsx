import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { log } from '../../../lib/log.ts'
import type { Unsaved } from '../unsaved-edits.ts'
import { detailsOf, firstOf, type Part, type Problems } from './part.ts'
import { parts } from './parts.ts'

interface Draft {
  /** what differs from what is stored, by field */
  edits: Readonly<Record<string, unknown>>
  problems: Problems
}

const noDraft: Draft = { edits: {}, problems: {} }
type Drafts = Readonly<Record<string, Draft>>

interface Drafting {
  drafts: Drafts
  redraft(id: string, change: (before: Draft) => Draft): void
}

const DraftsContext = createContext<Drafting | undefined>(undefined)

/** Around all sections: leaving one for another loses no edits. */
export function DestinationEditsProvider({ children }: { children: ReactNode }) {
  const [drafts, setDrafts] = useState<Drafts>({})
  const redraft: Drafting['redraft'] = (id, change) =>
    setDrafts((before) => ({ ...before, [id]: change(before[id] ?? noDraft) }))
  return <DraftsContext value={{ drafts, redraft }}>{children}</DraftsContext>
}

function useDrafting(): Drafting {
  const drafting = useContext(DraftsContext)
  if (!drafting) throw new Error('DestinationEditsProvider is missing')
  return drafting
}

/** For the banner of all pages. */
export function useDestinationEdits(): readonly Unsaved[] {
  const api = useApi()
  const queries = useQueryClient()
  const { drafts, redraft } = useDrafting()
  return parts.map((part) => {
    const { edits } = drafts[part.id] ?? noDraft
    const object = (problems: Problems) => redraft(part.id, (before) => ({ ...before, problems }))
    return {
      isDirty: Object.keys(edits).length > 0,
      async save() {
        const form = { ...part.toForm(await part.load(api)), ...edits }
        const problems = part.problems(form)
        object(problems)
        const problem = firstOf(problems)
        if (problem !== undefined) throw new Error(`${part.name}: ${problem}`)
        const stored = await part.save(api, form).catch((error: unknown) => {
          object(detailsOf(error))
          throw error
        })
        queries.setQueryData([part.id], stored)
        // what was typed while saving stays
        redraft(part.id, (now) => ({
          ...now,
          edits: without(now.edits, ([field, value]) => edits[field] === value),
        }))
      },
      async discard() {
        await queries.fetchQuery({ queryKey: [part.id], queryFn: () => part.load(api), staleTime: 0 })
        redraft(part.id, () => noDraft)
      },
    }
  })
}

/** One of them as it is stored, with the edits. It is read anew whenever the page is shown. */
export function usePart<Stored, Form extends object>(part: Part<Stored, Form>) {
  const api = useApi()
  const { drafts, redraft } = useDrafting()
  const query = useQuery({
    queryKey: [part.id],
    queryFn: ({ signal }) =>
      part.load(api, signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn(`The settings of ${part.name} could not be loaded`, error)
        throw error
      }),
    refetchOnMount: 'always',
  })
  const { edits, problems } = drafts[part.id] ?? noDraft
  const stored = query.data
  return {
    query,
    formOf: (data: Stored): Form => ({ ...part.toForm(data), ...(edits as Partial<Form>) }),
    problems,
    object: (found: Problems) => redraft(part.id, (before) => ({ ...before, problems: found })),
    /** An edit that brings back what is stored is none. */
    edit(change: Partial<Form>) {
      if (stored === undefined) return
      const saved = part.toForm(stored) as Readonly<Record<string, unknown>>
      redraft(part.id, (before) => ({
        edits: without({ ...before.edits, ...change }, ([field, value]) => saved[field] === value),
        problems: without(before.problems, ([field]) => Object.hasOwn(change, field)),
      }))
    },
  }
}

export type PartForm<Stored, Form extends object> = ReturnType<typeof usePart<Stored, Form>>

const without = <T,>(
  record: Readonly<Record<string, T>>,
  isOut: (entry: [string, T]) => boolean,
): Readonly<Record<string, T>> => Object.fromEntries(Object.entries(record).filter((entry) => !isOut(entry)))
