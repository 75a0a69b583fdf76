import fs from 'node:fs'
import os from 'node:os'

/** An address of a network interface that is up. IPv4 only. */
export interface MachineInterface {
  name: string
  address: string
  prefix: number
}

/** Facts about the local machine that discovery may read. */
export interface Machine {
  interfaces(): MachineInterface[]
  /** undefined when the file is missing or unreadable */
  file(path: string): string | undefined
}

export const thisMachine: Machine = {
  interfaces: () =>
    Object.entries(os.networkInterfaces()).flatMap(([name, addresses = []]) =>
      addresses
        .filter(({ family, internal, cidr }) => family === 'IPv4' && !internal && cidr !== null)
        .map(({ address, cidr }) => ({ name, address, prefix: Number(cidr!.split('/')[1]) })),
    ),
  file(path) {
    try {
      return fs.readFileSync(path, 'utf8')
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR'].includes(code)) return undefined
      throw error
    }
  },
}
