import type { Dice } from '../random.ts'

export interface Disk {
  devpath: string
  /** As PVE detects it; a SAS disk that hides its speed is `unknown`. */
  type: 'nvme' | 'ssd' | 'hdd' | 'usb' | 'unknown'
  model: string
  vendor: string
  serial: string
  wwn: string
  sizeBytes: number
  rpm: number
  used: string | undefined
  health: string
  /** Percent of life left as PVE reports it: usually a number, otherwise `N/A` or a number as text. */
  wearout: number | string | null
  temperatureCelsius: number
  /** The number of the OSD on it. */
  osd?: number
}

export interface Pool {
  name: string
  health: string
  sizeBytes: number
  fragmentation: number
  /** Device paths of its disks. */
  members: string[]
  layout: 'mirror' | 'raidz1'
}

/** Two fast disks for the system; the first nodes also have large ones. */
export function drawDisks(draw: Dice, nodeIndex: number): Disk[] {
  const onZfs = nodeIndex % 2 === 0
  const serial = () => draw.hex(12).toUpperCase()
  const wwn = () => `0x5${draw.hex(15)}`
  const system = [0, 1].map((index): Disk => ({
    devpath: `/dev/nvme${index}n1`,
    type: 'nvme',
    model: 'SAMSUNG MZQL21T9HCJR-00A07',
    vendor: 'unknown',
    serial: `S64G${serial()}`,
    wwn: `eui.${draw.hex(32)}`,
    sizeBytes: 1_920_383_410_176,
    rpm: 0,
    used: onZfs ? 'ZFS' : index === 0 ? 'BIOS boot' : 'LVM',
    health: 'PASSED',
    wearout: draw.int(72, 100),
    temperatureCelsius: draw.int(34, 52),
  }))
  const ssd: Disk = {
    devpath: '/dev/sda',
    type: 'ssd',
    model: 'CT1000MX500SSD1',
    vendor: 'ATA     ',
    serial: serial(),
    wwn: wwn(),
    sizeBytes: 1_000_204_886_016,
    rpm: 0,
    used: 'ext4',
    health: 'PASSED',
    // Some vendors report numbers as text.
    wearout: nodeIndex === 2 ? String(draw.int(40, 98)) : draw.int(40, 98),
    temperatureCelsius: draw.int(28, 44),
  }
  const large = [0, 1, 2, 3].map((index): Disk => ({
    devpath: `/dev/sd${'bcde'[index]!}`,
    type: index === 3 ? 'unknown' : 'hdd',
    model: index === 3 ? 'ST4000NM0025' : 'WDC WD40EFRX-68N32N0',
    vendor: index === 3 ? 'SEAGATE ' : 'ATA     ',
    serial: index === 3 ? `ZC1${serial()}` : `WD-WCC7K${draw.hex(7).toUpperCase()}`,
    wwn: wwn(),
    sizeBytes: 4_000_787_030_016,
    rpm: index === 3 ? -1 : 5400,
    used: nodeIndex === 0 ? 'ZFS' : undefined,
    // SAS disks report OK where ATA disks report PASSED, and report no wear.
    health: index === 3 ? 'OK' : 'PASSED',
    wearout: 'N/A',
    temperatureCelsius: draw.int(27, 41),
  }))
  if (nodeIndex > 2) return [...system, ssd]
  return [...system, ssd, ...large, ...(nodeIndex === 0 ? [external(serial(), wwn())] : [])]
}

/** Disks on a USB bridge report neither health nor speed. */
const external = (serial: string, wwn: string): Disk => ({
  devpath: '/dev/sdh',
  type: 'usb',
  model: 'Elements_25A3',
  vendor: 'WD      ',
  serial,
  wwn,
  sizeBytes: 4_000_752_599_040,
  rpm: -1,
  used: 'ext4',
  health: 'UNKNOWN',
  wearout: 'N/A',
  temperatureCelsius: 0,
})

export function drawPools(draw: Dice, nodeIndex: number): Pool[] {
  const pool = (given: Pick<Pool, 'name' | 'sizeBytes' | 'members' | 'layout'>): Pool => ({
    health: 'ONLINE',
    fragmentation: draw.int(1, 45),
    ...given,
  })
  const pools: Pool[] = []
  if (nodeIndex % 2 === 0) {
    const members = ['/dev/nvme0n1', '/dev/nvme1n1']
    pools.push(pool({ name: 'rpool', sizeBytes: 1_902_269_235_200, members, layout: 'mirror' }))
  }
  if (nodeIndex === 0) {
    const members = ['/dev/sdb', '/dev/sdc', '/dev/sdd']
    pools.push(pool({ name: 'tank', sizeBytes: 11_991_548_690_432, members, layout: 'raidz1' }))
  }
  return pools
}
