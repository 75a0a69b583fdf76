/** The figures of a guest at one moment. */
export interface GuestReading {
  atMs: number
  /** Fraction of the guest's own cores. */
  cpu: number
  memBytes: number
  memHostBytes: number
  /** Page cache inside the guest, which the host counts as used. */
  memCachedBytes: number
  /** Used inside the guest; PVE itself knows it only for containers. */
  diskBytes: number
  swapBytes: number
  uptimeSeconds: number
  netIn: number
  netOut: number
  diskRead: number
  diskWrite: number
}

/** The figures of a host at one moment. */
export interface NodeReading {
  atMs: number
  revision: number
  cpu: number
  ioWait: number
  memBytes: number
  diskBytes: number
  uptimeSeconds: number
  load: readonly [number, number, number]
}
