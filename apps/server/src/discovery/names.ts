import { lookup, Resolver } from 'node:dns/promises'

/** The name server, as far as discovery asks it. Neither call fails: a name that cannot be had is absent. */
export interface Names {
  nameOf(ip: string): Promise<string | undefined>
  addressesOf(name: string): Promise<string[]>
}

export const systemNames: Names = {
  async nameOf(ip) {
    // Of the machine itself a name server knows nothing.
    if (ip.startsWith('127.')) return undefined
    const found = await new Resolver({ timeout: 1000, tries: 1 }).reverse(ip).catch(() => [])
    return found.find(isHostName)
  },
  async addressesOf(name) {
    const found = await lookup(name, { all: true, family: 4 }).catch(() => [])
    return found.map(({ address }) => address)
  },
}

/** The owner of an address may claim any name, and it will be shown. */
const isHostName = (text: string) => /^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?$/i.test(text)
