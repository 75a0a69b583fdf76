import { AppError } from '../../app-error.ts'
import type { GuestMetadataArea } from '../../guests/metadata.ts'
import type { State } from '../../state/state.ts'

export interface DeclaredLinksEdges {
  /** guest id → address */
  urls: ReadonlyMap<string, string>
  /** for texts */
  fileName: string
  metadata: GuestMetadataArea
  state: Pick<State, 'subscribe'>
  onError: (error: unknown) => void
}

export interface DeclaredLinks {
  /** The same area, in which what the file declares cannot be changed. */
  metadata: GuestMetadataArea
  apply(): Promise<void>
}

export function declaredLinks({
  urls,
  fileName,
  metadata,
  state,
  onError,
}: DeclaredLinksEdges): DeclaredLinks {
  async function refuse(guestId: string) {
    const ids = await Promise.all([guestId, ...urls.keys()].map(async (one) => (await metadata.get(one)).id))
    if (!urls.has(guestId) && !ids.slice(1).includes(ids[0]!)) return
    throw new AppError(
      'locked_by_environment',
      `The link of ${guestId} is fixed by ${fileName}. Change it there and restart Pulse.`,
    )
  }

  async function bring(guestId: string) {
    const customUrl = urls.get(guestId)!
    if ((await metadata.get(guestId)).customUrl !== customUrl) await metadata.put(guestId, { customUrl })
  }

  /** A link hangs on the guest itself as soon as the guest is known, so that it moves with it. */
  function tieWhenSeen(unseen: Set<string>) {
    const end = state.subscribe(({ guests }) => {
      for (const { id } of guests?.put.values() ?? []) {
        if (unseen.delete(id)) metadata.put(id, { customUrl: urls.get(id)! }).catch(onError)
      }
      if (unseen.size === 0) end()
    })
  }

  return {
    metadata: {
      ...metadata,
      async put(guestId, input) {
        await refuse(guestId)
        return metadata.put(guestId, input)
      },
      async remove(guestId) {
        await refuse(guestId)
        await metadata.remove(guestId)
      },
    },
    async apply() {
      for (const guestId of urls.keys()) await bring(guestId)
      if (urls.size > 0) tieWhenSeen(new Set(urls.keys()))
    },
  }
}
