import { lookup, Resolver } from 'node:dns/promises'

/** DNS queries of discovery. Neither method fails: a name that cannot be resolved is absent. */
export interface Names {
  nameOf(ip: string): Promise<string | undefined>
  addressesOf(name: string): Promise<string[]>
}

export const systemNames: Names = {
  async nameOf(ip) {
    // A name server knows no loopback addresses.
    if (ip.startsWith('127.')) return undefined
    const found = await new Resolver({ timeout: 1000, tries: 1 }).reverse(ip).catch(() => [])
    return found.find(isHostName)
  },
  async addressesOf(name) {
    const found = await lookup(name, { all: true, family: 4 }).catch(() => [])
    return found.map(({ address }) => address)
  },
}

/** The owner of an address may claim any name, and Pulse displays it. */
const isHostName = (text: string) => /^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?$/i.test(text)
