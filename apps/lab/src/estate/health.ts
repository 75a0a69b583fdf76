import type { Disk, Pool } from './disks.ts'
import type { Node, PoolPins } from './estate.ts'

/** The disks as they are now, with what was set from outside. */
export const disksOf = ({ disks, pins }: Node): Disk[] =>
  pins.disks ? disks.map((disk) => ({ ...disk, ...pins.disks![disk.devpath] })) : disks

export interface PoolState extends Pool {
  pins: PoolPins
}

export const poolsOf = ({ pools, pins }: Node): PoolState[] =>
  pools.map((pool) => {
    const own = pins.pools?.[pool.name] ?? {}
    return { ...pool, health: own.health ?? pool.health, pins: own }
  })
