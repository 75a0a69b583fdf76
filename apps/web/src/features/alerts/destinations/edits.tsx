import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { log } from '../../../lib/log.ts'
import type { Unsaved } from '../config-edits.tsx'
import { detailsOf, firstOf, type Part, type Problems } from './part.ts'
import { useEdited, useEditStore } from '../../../parts/sections/edit-stores.tsx'

type AllProblems = Readonly<Record<string, Problems>>

interface Objections {
  problems: AllProblems
  object(id: string, change: (before: Problems) => Problems): void
}

const ObjectionsContext = createContext<Objections | undefined>(undefined)

/** Wraps all sections, so that a form keeps its problems across a change of section. */
export function DestinationEditsProvider({ children }: { children: ReactNode }) {
  const [problems, setProblems] = useState<AllProblems>({})
  const object: Objections['object'] = (id, change) =>
    setProblems((before) => ({ ...before, [id]: change(before[id] ?? {}) }))
  return <ObjectionsContext value={{ problems, object }}>{children}</ObjectionsContext>
}

function useObjections({ id }: Pick<Part<unknown, object>, 'id'>) {
  const objections = useContext(ObjectionsContext)
  if (!objections) throw new Error('DestinationEditsProvider is missing')
  return {
    problems: objections.problems[id] ?? {},
    object: (found: Problems) => objections.object(id, () => found),
    /** Editing a field clears its problem. */
    forget: (fields: object) =>
      objections.object(id, (before) => without(before, (field) => Object.hasOwn(fields, field))),
  }
}

/** The unsaved edits of a document, for the banner of all sections. */
export function usePartEdits<Stored, Form extends object>(part: Part<Stored, Form>): Unsaved {
  const api = useApi()
  const queries = useQueryClient()
  const { object } = useObjections(part)
  const store = useEditStore<Form>(part.id)
  const { isDirty } = useEdited(store)
  return {
    isDirty,
    async save() {
      await store.save({
        load: async () => part.toForm(await part.load(api)),
        async send(form) {
          const problems = part.problems(form)
          object(problems)
          const problem = firstOf(problems)
          if (problem !== undefined) throw new Error(`${part.name}: ${problem}`)
          const stored = await part.save(api, form).catch((error: unknown) => {
            object(detailsOf(error))
            throw error
          })
          queries.setQueryData([part.id], stored)
          return part.toForm(stored)
        },
      })
    },
    async discard() {
      const stored = await queries.fetchQuery({
        queryKey: [part.id],
        queryFn: () => part.load(api),
        staleTime: 0,
      })
      store.discard(part.toForm(stored))
      object({})
    },
    drop() {
      store.discard()
      object({})
    },
  }
}

/** A stored document with its edits. Reloaded each time the page opens. */
export function usePart<Stored, Form extends object>(part: Part<Stored, Form>) {
  const api = useApi()
  const { problems, object, forget } = useObjections(part)
  const store = useEditStore<Form>(part.id)
  const { shown } = useEdited(store)
  const query = useQuery({
    queryKey: [part.id],
    queryFn: ({ signal }) =>
      part.load(api, signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn(`The settings of ${part.name} could not be loaded`, error)
        throw error
      }),
    refetchOnMount: 'always',
  })
  const { data } = query
  useLayoutEffect(() => {
    if (data !== undefined) store.rebase(part.toForm(data))
  }, [store, part, data])
  return {
    query,
    formOf: (stored: Stored): Form => shown ?? part.toForm(stored),
    problems,
    object,
    /** Restoring the stored value is not an edit. */
    edit(change: Partial<Form>) {
      store.change((form) => ({ ...form, ...change }))
      forget(change)
    },
  }
}

export type PartForm<Stored, Form extends object> = ReturnType<typeof usePart<Stored, Form>>

const without = (problems: Problems, isOut: (field: string) => boolean): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => !isOut(field)))
