import { type GuestMetadata, getGuestsMetadata, putGuestMetadata } from '@pulse/contract'
import { guestUrlProblem } from '@pulse/domain'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { useLive } from '../../../live/use-live.ts'
import { toast } from '../../../ui/toast.ts'
import { isRefused, wordsOf } from '../../../api/reason.ts'
import { type LinkedGuest, type Metadata, sameGuests, selectGuests, storedUrl } from './guests.ts'

export interface UrlRow {
  guest: LinkedGuest
  /** as typed, else as stored */
  url: string
  stored: string
  isDirty: boolean
  /** why it cannot be saved, or why saving failed */
  error: string | undefined
}

type ByKey = Readonly<Record<string, string>>
const failed = 'Failed to save guest URLs'

/** The links of all guests, with unsaved edits over the stored values. */
export function useGuestUrls() {
  const api = useApi()
  const queries = useQueryClient()
  const guests = useLive(['guests'], selectGuests, sameGuests)
  const [edits, setEdits] = useState<ByKey>({})
  const [refusals, setRefusals] = useState<ByKey>({})
  const metadata = useQuery({
    queryKey: [getGuestsMetadata.path],
    queryFn: async ({ signal }): Promise<Metadata> => (await api.call(getGuestsMetadata, { signal })) ?? {},
  })
  const rows = metadata.data && guests.map((guest) => toRow(guest, metadata.data, edits))
  const changed = rows?.filter(({ isDirty }) => isDirty) ?? []

  const save = useChange({
    mutationFn: async (changes: readonly UrlRow[]) => {
      const saved: [UrlRow, GuestMetadata][] = []
      const refused: [UrlRow, string][] = []
      for (const row of changes) {
        try {
          const { guest, url } = row
          const params = { guestId: guest.id }
          saved.push([row, await api.call(putGuestMetadata, { params, body: { customUrl: url.trim() } })])
        } catch (error) {
          refused.push([row, wordsOf(error, 'The server rejected it')])
          // the other calls would be refused too
          if (isRefused(error)) break
        }
      }
      return { saved, refused }
    },
    onSuccess({ saved, refused }) {
      queries.setQueryData<Metadata>([getGuestsMetadata.path], (before) => before && merge(before, saved))
      // text typed during the save stays
      const isDone = (key: string, text: string) =>
        saved.some(([row]) => row.guest.key === key && row.url === text)
      setEdits((now) => Object.fromEntries(Object.entries(now).filter(([key, text]) => !isDone(key, text))))
      setRefusals(Object.fromEntries(refused.map(([row, message]) => [row.guest.key, message])))
      if (refused.length > 0) toast.error(failed)
      else toast.success('Guest URLs saved')
    },
  })

  return {
    metadata,
    rows,
    isDirty: changed.length > 0,
    hasErrors: changed.some(({ error }) => error !== undefined),
    isSaving: save.isPending,
    /** errors of the last save, one per guest */
    refusals: (save.data?.refused ?? [])
      .filter(([{ guest }]) => Object.hasOwn(refusals, guest.key))
      .map(([{ guest }, message]) => `${guest.name}: ${message}`),
    /** undefined resets to the stored URL */
    type(key: string, text: string | undefined) {
      setEdits(({ [key]: _, ...others }) => (text === undefined ? others : { ...others, [key]: text }))
      setRefusals(({ [key]: _, ...others }) => others)
    },
    save: (then?: (isSaved: boolean) => void) =>
      save.mutate(changed, {
        onSuccess: ({ refused }) => then?.(refused.length === 0),
        onError: () => then?.(false),
      }),
    discard() {
      setEdits({})
      setRefusals({})
    },
  }
}

function toRow(guest: LinkedGuest, metadata: Metadata, edits: ByKey): UrlRow {
  const stored = storedUrl(metadata, guest)
  const url = edits[guest.key] ?? stored
  const isDirty = url.trim() !== stored
  return { guest, url, stored, isDirty, error: isDirty ? guestUrlProblem(url) : undefined }
}

/** Moves an entry from an older key to the guest's id. */
function merge(before: Metadata, saved: readonly [UrlRow, GuestMetadata][]): Metadata {
  const next = { ...before }
  for (const [{ guest }, record] of saved) {
    delete next[`${guest.node}-${guest.vmid}`]
    next[guest.id] = record
  }
  return next
}
