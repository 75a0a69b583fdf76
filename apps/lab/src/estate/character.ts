import type { Dice } from '../random.ts'
import type { Character } from './estate.ts'
import type { Role } from './names.ts'

const kib = 1024

const shape = {
  idle: { cpu: [0.002, 0.01], mem: [0.1, 0.35], netKib: [0.5, 4], diskKib: [1, 10] },
  light: { cpu: [0.01, 0.06], mem: [0.25, 0.55], netKib: [4, 80], diskKib: [10, 120] },
  medium: { cpu: [0.06, 0.22], mem: [0.4, 0.75], netKib: [80, 1500], diskKib: [100, 900] },
  heavy: { cpu: [0.25, 0.6], mem: [0.55, 0.85], netKib: [500, 12_000], diskKib: [800, 9000] },
} as const

/** The probability that a refresh changes nothing, which makes an estate quiet or busy. */
const quietShare = { idle: 0.75, light: 0.3, medium: 0.1, heavy: 0.05 } as const

export function drawCharacter(draw: Dice, load: Role['load']): Character {
  const { cpu, mem, netKib, diskKib } = shape[load]
  const within = ([low, high]: readonly [number, number]) => low + (high - low) * draw.next()
  const net = within(netKib) * kib
  const disk = within(diskKib) * kib
  return {
    quiet: draw.chance(quietShare[load]),
    cpuBase: within(cpu),
    memBase: within(mem),
    diskBase: 0.12 + 0.68 * draw.next() ** 1.5,
    netInRate: net * (0.3 + draw.next()),
    netOutRate: net * (0.3 + draw.next()),
    diskReadRate: disk * (0.2 + draw.next()),
    diskWriteRate: disk * (0.4 + draw.next()),
    phase: draw.next() * 2 * Math.PI,
  }
}
