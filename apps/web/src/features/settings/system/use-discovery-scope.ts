import { getSystemSettings, postSystemSettings } from '@pulse/contract'
import { readSubnets, subnetsProblem } from '@pulse/domain'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useEditStore } from '../../../parts/sections/edit-stores.tsx'
import { toast } from '../../../ui/toast.ts'
import type { LoadedSettings } from './system-form.ts'

export type ScopeMode = 'auto' | 'custom'

interface Scope {
  mode: ScopeMode
  /** as typed */
  text: string
}

interface Stored {
  subnet: string
}

const savingKey = ['discovery-subnet']
const AUTO = 'auto'
const failedMs = 6_000
const savedMs = 3_500

/** The discovery scope. Every change is saved immediately; invalid text stays in the field with an error. */
export function useDiscoveryScope({ discoverySubnet, discoveryEnabled }: LoadedSettings) {
  const api = useApi()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Partial<Scope>>({})
  const [problem, setProblem] = useState<string>()
  const stored = readSubnets(discoverySubnet) ?? []
  const mode = draft.mode ?? (stored.length === 0 ? AUTO : 'custom')
  const text = draft.text ?? stored.join(', ')

  const store = useEditStore<Stored>('discovery-subnet')
  const subnetNow = stored.join(',') || AUTO
  useLayoutEffect(() => store.rebase({ subnet: subnetNow }), [store, subnetNow])

  const save = useMutation({
    mutationFn: (_sent: { text?: string }) =>
      store.save({
        load: async () => store.base()!,
        async send({ subnet }) {
          await api.call(postSystemSettings, { body: { discoverySubnet: subnet } })
          return { subnet }
        },
      }),
    onSuccess: async ({ subnet }, { text }) => {
      // a pending response may be older than this change
      await queries.cancelQueries({ queryKey: [getSystemSettings.path] })
      queries.setQueryData<LoadedSettings>(
        [getSystemSettings.path],
        (before) => before && { ...before, discoverySubnet: subnet },
      )
      // the next save is under way and will report its result
      if (store.isDirty()) return
      setDraft((now) => (now.text === text ? {} : now))
      toast.success(
        discoveryEnabled ? 'Discovery subnet updated — scanning network...' : 'Discovery subnet saved',
        savedMs,
      )
    },
    onError: () => {
      // typed text stays in the field; a later save sends its own value
      if (queries.isMutating({ mutationKey: savingKey }) <= 1) store.discard()
      setDraft(({ mode: _, ...kept }) => kept)
      toast.error('Failed to update discovery subnet', failedMs)
    },
    mutationKey: savingKey,
  })

  /** Saves are serialized and send the latest choice. */
  function send(subnet: string, text?: string) {
    store.change(() => ({ subnet }))
    save.mutate({ ...(text !== undefined && { text }) })
  }

  /** Sends valid and changed subnets. */
  function commit(typed: string) {
    const found = subnetsProblem(typed)
    setProblem(found)
    if (found) return
    const subnet = readSubnets(typed)!.join(',')
    if (subnet === store.shown()?.subnet) setDraft({ mode: 'custom' })
    else send(subnet, typed)
  }

  return {
    mode,
    text,
    problem,
    isSaving: save.isPending,
    commit: () => commit(text),
    type: (typed: string) => {
      setDraft({ mode: 'custom', text: typed })
      setProblem(undefined)
    },
    choose(chosen: ScopeMode) {
      setDraft((now) => ({ ...now, mode: chosen }))
      setProblem(undefined)
      if (chosen === AUTO && stored.length > 0) send(AUTO)
    },
    toggle(subnet: string) {
      const entries = entriesOf(text)
      const next = entries.includes(subnet) ? entries.filter((one) => one !== subnet) : [...entries, subnet]
      const typed = next.join(', ')
      setDraft({ mode: 'custom', text: typed })
      commit(typed)
    },
    /** Whether discovery can be enabled with the current subnets. */
    mayEnable(): boolean {
      const found = mode === 'custom' ? subnetsProblem(text, { enabling: true }) : undefined
      setProblem(found)
      return found === undefined
    },
  }
}

export const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
