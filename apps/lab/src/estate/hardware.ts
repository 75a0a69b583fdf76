import type { Dice } from '../random.ts'

export interface Hardware {
  model: string
  vendor: string
  family: string
  mhz: string
  sockets: number
  /** Cores of all sockets. */
  cores: number
  threads: number
  memBytes: number
  swapBytes: number
  rootBytes: number
  /** Fraction of the root filesystem in use. */
  rootFill: number
  efi: boolean
}

type Board = Pick<Hardware, 'model' | 'vendor' | 'family' | 'mhz' | 'sockets' | 'cores' | 'threads'> & {
  memGib: number
}

/** From small to large. */
const boards: readonly Board[] = [
  {
    model: 'Intel(R) N100',
    vendor: 'GenuineIntel',
    family: '6',
    mhz: '806.400',
    sockets: 1,
    cores: 4,
    threads: 4,
    memGib: 16,
  },
  {
    model: 'Intel(R) Core(TM) i7-6700 CPU @ 3.40GHz',
    vendor: 'GenuineIntel',
    family: '6',
    mhz: '3400.000',
    sockets: 1,
    cores: 4,
    threads: 8,
    memGib: 64,
  },
  {
    model: 'AMD Ryzen 9 5950X 16-Core Processor',
    vendor: 'AuthenticAMD',
    family: '25',
    mhz: '3393.625',
    sockets: 1,
    cores: 16,
    threads: 32,
    memGib: 128,
  },
  {
    model: 'Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz',
    vendor: 'GenuineIntel',
    family: '6',
    mhz: '2400.000',
    sockets: 2,
    cores: 32,
    threads: 64,
    memGib: 256,
  },
  {
    model: 'AMD EPYC 7532 32-Core Processor',
    vendor: 'AuthenticAMD',
    family: '23',
    mhz: '2400.000',
    sockets: 2,
    cores: 64,
    threads: 128,
    memGib: 512,
  },
  {
    model: 'AMD EPYC 9654 96-Core Processor',
    vendor: 'AuthenticAMD',
    family: '25',
    mhz: '2400.000',
    sockets: 2,
    cores: 192,
    threads: 384,
    memGib: 1536,
  },
]

const gib = 1024 ** 3

/** The smallest machine that fits the guests with a little overcommitment. */
export function chooseHardware(draw: Dice, guestMemBytes: number): Hardware {
  const needed = guestMemBytes * 0.8
  const board = boards.find(({ memGib }) => memGib * gib >= needed) ?? boards.at(-1)!
  const { memGib, ...processor } = board
  // Firmware and kernel reserve a part, so the total is never a round number.
  const reserved = draw.int(300, 900) * 1024 * 1024
  return {
    ...processor,
    memBytes: memGib * gib - reserved,
    swapBytes: draw.chance(0.6) ? 8 * gib - 4096 : 0,
    rootBytes: draw.pick([100_861_726_720, 250_985_062_400, 468_157_071_360, 952_455_266_304]),
    rootFill: 0.04 + 0.3 * draw.next(),
    efi: draw.chance(0.7),
  }
}
