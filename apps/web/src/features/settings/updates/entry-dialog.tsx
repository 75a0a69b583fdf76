import { getUpdateHistoryEntry, type UpdateHistoryEntry } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { installationTexts } from '../installations.ts'
import { When } from '../when.tsx'
import { durationText, Outcome } from './history-table.tsx'
import { actionTexts, channelTexts, initiatorText } from './update-texts.ts'

interface EntryDialogProps {
  /** undefined while closed */
  id: string | undefined
  onClose: () => void
}

/** All stored details of an update. */
export function EntryDialog({ id, onClose }: EntryDialogProps) {
  return (
    <Dialog open={id !== undefined} onClose={onClose} title="Update details" wide>
      {id !== undefined && <Entry id={id} />}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Entry({ id }: { id: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: [getUpdateHistoryEntry.path, id],
    queryFn: ({ signal }) => api.call(getUpdateHistoryEntry, { query: { id }, signal }),
  })
  return (
    <Loaded query={query} what="the update">
      {(entry) => <Facts entry={entry} />}
    </Loaded>
  )
}

function Facts({ entry }: { entry: UpdateHistoryEntry }) {
  const { error, backup_path, log_path, download_bytes, notes } = entry
  const facts = [
    ['Result', <Outcome key="result" entry={entry} />],
    ['Action', actionTexts[entry.action]],
    ['From', entry.version_from],
    ['To', entry.version_to],
    ['Channel', channelTexts[entry.channel]],
    ['Started', <When key="started" time={entry.timestamp} inline seconds />],
    ['Duration', durationText(entry)],
    ['Started by', initiatorText(entry)],
    ['Installation', installationTexts[entry.deployment_type]],
    ...(download_bytes === undefined ? [] : [['Downloaded', formatBytes(download_bytes)] as const]),
    ...(backup_path === undefined ? [] : [['Data kept in', backup_path] as const]),
    ...(log_path === undefined ? [] : [['Log', log_path] as const]),
    ...(notes === undefined ? [] : [['Notes', notes] as const]),
    ['Id', entry.event_id],
  ] as const
  return (
    <div className="flex flex-col gap-4">
      {error && (
        <Notice tone="red" title={error.message}>
          {error.details && <p>{error.details}</p>}
          {error.code && (
            <p>
              Code <code className="font-mono text-xs">{error.code}</code>
            </p>
          )}
        </Notice>
      )}
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-table">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
