import { type SourceKind, sourceKinds } from '@pulse/contract'
import { createSender, type Frame } from '@pulse/domain'
import { expect, test } from 'vitest'
import { givenHosts } from '../../collectors/proxmox/fixtures.ts'
import { encodeFrame, FrameJoiner } from './frame-codec.ts'
import { believedFrame } from './foreign-frames.ts'
import { foreignRecords } from './foreign-records.ts'

const expected: Record<SourceKind, string[]> = {
  pve: ['guests', 'nodes', 'protections', 'pveBackups', 'storage'],
  pbs: ['datastores', 'pbs', 'pbsBackups'],
  pmg: ['pmg', 'pmgBackups'],
}

test.for(sourceKinds)(
  '[N 4] what the collectors of a site say of a %s host is believed whole',
  async (kind, context) => {
    const { start, until, connection } = await givenHosts(context, { factor: 40, guests: 60 })
    const source = start(kind, { site: 'berlin' })
    const records = () => source.seen.at(-1)?.records ?? {}
    await until(
      'its records',
      () => expected[kind].every((one) => (records()[one as 'guests']?.size ?? 0) > 0),
      120,
    )
    const { id, name } = connection(kind)
    const own = { site: 'berlin', kind, name }
    const sender = createSender(id, 'r.1')
    const joiner = new FrameJoiner({ site: 'berlin', source: id })
    for (const { source: _source, ...said } of source.seen) sender.offer(said)
    let last: Frame | undefined
    for (let sent = sender.next(); sent; sent = sender.next()) {
      const [bytes, ...more] = encodeFrame(sent)
      expect(more).toEqual([])
      const frame = joiner.take({ number: 1, of: 1, bytes: bytes! }) as Frame
      const edges = { own, connections: () => [own], siteOfCeph: () => undefined }
      expect(foreignRecords(frame, () => true)).toBeUndefined()
      expect(believedFrame(frame, edges)).toEqual({ frame: { ...frame, isForeign: true }, left: new Set() })
      last = frame
    }
    expect(last?.state).toMatchObject({ site: 'berlin', kind })
  },
)
