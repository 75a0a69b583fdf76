import { useCallback } from 'react'
import { sameList, useLive } from '../../live/use-live.ts'
import { ChangesCard } from '../changes/changes-card.tsx'
import { FullInText } from '../forecast/full-in.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ownerOf } from './charts.ts'
import { HistoryGroup } from './history-group.tsx'
import { type HistoryProps, HistoryView } from './history-view.tsx'

export interface HistoryDialogProps extends HistoryProps {
  onClose: () => void
}

/** The charts of a thing, and of the datastores of a backup server. */
export function HistoryDialog({ onClose, ...props }: HistoryDialogProps) {
  const datastores = useDatastores(props)
  return (
    <Dialog open wide="extra" onClose={onClose} title={`History of ${props.name}`}>
      <HistoryGroup kind={props.kind} id={props.id}>
        <HistoryView {...props} />
        <section className="mt-6">
          <h3 className="mb-2 text-sm font-semibold">Changes</h3>
          <ChangesCard {...ownerOf(props)} name={props.name} />
        </section>
        {datastores.map((key) => (
          <Datastore key={key} id={key} />
        ))}
      </HistoryGroup>
    </Dialog>
  )
}

const useDatastores = ({ kind, id }: HistoryProps): readonly string[] =>
  useLive(
    ['datastores'],
    useCallback(
      (live) =>
        kind === 'pbs'
          ? [...live.records('datastores')].flatMap(([key, { source }]) => (source === id ? [key] : []))
          : [],
      [kind, id],
    ),
    sameList,
  )

function Datastore({ id }: { id: string }) {
  const store = useLive(
    ['datastores'],
    useCallback((live) => live.get('datastores', id), [id]),
  )
  if (!store) return null
  return (
    <section className="mt-6">
      <h3 className="text-sm font-semibold">{`Datastore ${store.name}`}</h3>
      <p className="mt-1 text-xs">
        <span className="text-ink-3">Full in </span>
        <FullInText forecast={store.forecast} />
      </p>
      <HistoryView kind="datastores" id={id} name={store.name} alertId={`${store.server}-${store.name}`} />
    </section>
  )
}
