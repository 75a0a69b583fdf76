import { isEqual, protectionWords } from '@pulse/domain'
import { useCallback, useMemo, useState } from 'react'
import { useEntity, useLive, useSlice } from '../../live/use-live.ts'
import type { BackupRow } from '../../parts/backups/backup-row.ts'
import { Doubts, Size, Source, Verified } from '../../parts/backups/cells.tsx'
import { Happened, Newest, Words } from '../../parts/backups/protection-cells.tsx'
import {
  backupLocationText,
  goodBackup,
  jobText,
  verificationText,
} from '../../parts/backups/protection-words.ts'
import { detailsText, fullDetails, locationText } from '../../parts/backups/texts.ts'
import { BackupTime } from '../../parts/cells/moment.tsx'
import { Fact, Facts } from '../../parts/list/details.tsx'
import { type RecordColumn, RecordTable } from '../../parts/table/record-table.tsx'
import { Button } from '../../ui/button.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { createGuestBackups, guestBackupKinds } from '../../parts/backups/guest-backups.ts'
import { Section, SectionBody, SectionLoading, SectionNote } from './section.tsx'
import { Snapshots } from './snapshots.tsx'
import { SourceNotes } from './source-notes.tsx'

const mostShown = 10

/** How well the guest is protected, its backups and its snapshots. */
export function Backups({ id }: { id: string }) {
  const held = useSlice('backups')
  const guest = useLive(
    ['guests'],
    useCallback(
      (live) => {
        const { source, vmid, type } = live.get('guests', id) ?? {}
        return source === undefined ? undefined : { source, vmid: vmid!, type: type! }
      },
      [id],
    ),
    isEqual,
  )
  const select = useMemo(() => guest && createGuestBackups(guest), [guest])
  const found = useLive(
    guestBackupKinds,
    useCallback((live) => (held ? select?.(live) : undefined), [held, select]),
  )
  if (!guest) return null
  return (
    <div className="grid items-start gap-3 xl:grid-cols-[3fr_2fr]">
      <Section
        title="Backups"
        count={found?.backups.length}
        more={{ to: `/proxmox/backups?search=vmid%3A${guest.vmid}`, text: 'All backups' }}
      >
        {held && <ProtectionFacts id={id} />}
        <SourceNotes source={guest.source} concerns={/backup/} />
        {found ? <BackupList rows={found.backups} /> : <SectionLoading />}
      </Section>
      <Section title="Snapshots" count={found?.snapshots.length}>
        <SourceNotes source={guest.source} concerns={/snapshot/} />
        {found ? <Snapshots rows={found.snapshots} /> : <SectionLoading />}
      </Section>
    </div>
  )
}

/** The same words as in the list of all guests. */
function ProtectionFacts({ id }: { id: string }) {
  const protection = useEntity('protections', id)
  if (!protection) return null
  const words = protectionWords(protection)
  const one = { protection, guest: undefined, words }
  const good = goodBackup(protection)
  const verification = good && verificationText(good)
  return (
    <div className="border-b border-line px-4 py-3">
      <Facts>
        <Fact term="Protection">
          <span className="flex flex-wrap gap-1">
            <Words words={words} />
          </span>
        </Fact>
        <Fact term="Newest good backup">
          <Newest one={one} />
          {good && ` on ${backupLocationText(good)}`}
          {verification && `, ${verification.toLowerCase()}`}
        </Fact>
        <Fact term="Backup job">{jobText(protection.inJob)}</Fact>
        {(protection.failed || protection.ambiguous || words.includes('broken')) && (
          <Fact term="What happened">
            <Happened one={one} />
          </Fact>
        )}
      </Facts>
    </div>
  )
}

function BackupList({ rows }: { rows: readonly BackupRow[] }) {
  const [isWhole, setWhole] = useState(false)
  if (rows.length === 0) return <SectionNote>No backups of this guest.</SectionNote>
  return (
    <>
      <RecordTable
        label="Backups"
        columns={columns}
        rows={isWhole ? rows : rows.slice(0, mostShown)}
        keyOf={keyOf}
        minWidth={620}
        dense
      />
      {!isWhole && rows.length > mostShown && (
        <SectionBody>
          <Button onClick={() => setWhole(true)}>Show all {rows.length} backups</Button>
        </SectionBody>
      )}
    </>
  )
}

const keyOf = ({ backupName, hostKey, storage, datastore, namespace }: BackupRow) =>
  [hostKey, storage, datastore, namespace, backupName].join('\0')

const columns: readonly RecordColumn<BackupRow>[] = [
  {
    header: 'Time',
    cell: ({ backupTime }) => (
      <span className="whitespace-nowrap tabular-nums">
        <BackupTime at={backupTime * 1000} relative={false} />
      </span>
    ),
    phone: { slot: 'name' },
  },
  {
    header: 'Backup',
    cell: (backup) => (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <Source backup={backup} />
        <Doubts backup={backup} />
      </span>
    ),
    phone: { slot: 'badge' },
  },
  {
    header: 'Location',
    cell: (backup) => <span className="break-all">{locationText(backup) ?? '—'}</span>,
    phone: { slot: 'fact' },
  },
  {
    header: 'Size',
    align: 'end',
    cell: (backup) => (
      <span className="whitespace-nowrap tabular-nums">
        <Size backup={backup} />
      </span>
    ),
    phone: { slot: 'fact' },
  },
  { header: 'Verified', cell: (backup) => <Verified backup={backup} />, phone: { slot: 'fact' } },
  {
    header: 'Details',
    cell: (backup) => (
      <span className="line-clamp-1 break-all text-ink-2" {...tip(fullDetails(backup), 260)}>
        {detailsText(backup)}
      </span>
    ),
  },
]
