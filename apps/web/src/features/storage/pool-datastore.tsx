import type { Storage } from '@pulse/contract'
import { useCallback } from 'react'
import { displayName } from '../../lib/display-name.ts'
import { hostOf } from '../../lib/host.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { HistoryButton } from '../../parts/history/history-button.tsx'
import { Fact } from '../../parts/list/details.tsx'

/** The datastore behind a storage of type pbs, with its charts. Nothing if Pulse does not monitor its server. */
export function PoolDatastore({ pbs }: { pbs: NonNullable<Storage['pbs']> }) {
  const { server, datastore } = pbs
  const id = useLive(
    ['pbs', 'datastores'],
    useCallback((live) => datastoreOf(live, { server, datastore }), [server, datastore]),
  )
  const record = useLive(
    ['datastores'],
    useCallback((live) => (id === undefined ? undefined : live.get('datastores', id)), [id]),
  )
  const source = record?.source ?? ''
  const host = useLive(
    ['pbs'],
    useCallback((live) => live.get('pbs', source), [source]),
  )
  if (id === undefined || !record) return null
  return (
    <Fact term="Datastore">
      <span className="flex items-center gap-1">
        <span className="min-w-0 break-all">
          {host ? `${record.name} on ${displayName(host)}` : record.name}
        </span>
        <HistoryButton
          kind="datastores"
          id={id}
          name={record.name}
          alertId={`${record.server}-${record.name}`}
          className="-my-2"
        />
      </span>
    </Fact>
  )
}

/** The store id of a datastore, by the address that a cluster has for its server. */
export function datastoreOf(
  live: LiveReader,
  { server, datastore }: Pick<NonNullable<Storage['pbs']>, 'server' | 'datastore'>,
): string | undefined {
  const host = hostOf(server)
  for (const [id, { name, source }] of live.records('datastores')) {
    const own = live.get('pbs', source)
    if (name === datastore && own && hostOf(own.host) === host) return id
  }
  return undefined
}
