import { guestRates, sampledGuestFields } from '@pulse/contract'
import { formatMoment, formatNumber, formatRate, MISSING } from '../../lib/format.ts'
import { tagList } from '../../lib/tags.ts'
import { BackupTime } from '../cells/moment.tsx'
import { Fact } from '../list/details.tsx'
import { FullInText } from '../forecast/full-in.tsx'
import { guestForecasts } from './guest-forecast.ts'
import type { GuestView } from './guest-view.ts'
import { TagList } from './tag-list.tsx'

/** Details of every guest, with or without an agent. */
export function Basics({ view: { guest, startedAt } }: { view: GuestView }) {
  const tags = tagList(guest.tags)
  const [fullFirst] = guestForecasts(guest)
  return (
    <>
      <Fact term="Node">{guest.node}</Fact>
      {guest.cpus > 0 && (
        <Fact term="CPU">{`${formatNumber(guest.cpus)} ${guest.cpus === 1 ? 'core' : 'cores'}`}</Fact>
      )}
      <Fact term="Started">{startedAt === undefined ? MISSING : formatMoment(startedAt)}</Fact>
      {tags.length > 0 && (
        <Fact term="Tags">
          <TagList tags={tags} />
        </Fact>
      )}
      {fullFirst && (
        <Fact term="Disk full in">
          <FullInText forecast={fullFirst.forecast} fileSystem={fullFirst.fileSystem} />
        </Fact>
      )}
      <Fact term="Last backup">
        {guest.lastBackup === undefined ? MISSING : <BackupTime at={guest.lastBackup} relative />}
      </Fact>
    </>
  )
}

/** Phones have no rate columns. */
export function Rates({ view: { rates } }: { view: GuestView }) {
  return guestRates.map((rate) => (
    <Fact key={rate} term={sampledGuestFields[rate].column}>
      {formatRate(rates[rate])}
    </Fact>
  ))
}
