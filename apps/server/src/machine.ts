import fs from 'node:fs'
import os from 'node:os'

/** An address of a network interface that is up. IPv4 only. */
export interface MachineInterface {
  name: string
  address: string
  prefix: number
}

/** What discovery may know about the machine it runs on. */
export interface Machine {
  interfaces(): MachineInterface[]
  /** undefined when there is no such file or it may not be read */
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
