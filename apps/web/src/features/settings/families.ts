import { createContext, use } from 'react'

/** What is to be collected or done one day. Its controls come with it: a switch that moves nothing is a lie. */
export type Family = 'updates'

/** Those that are there. */
export const FamiliesContext = createContext<readonly Family[]>([])

export function useIsThere(): (family: Family) => boolean {
  const there = use(FamiliesContext)
  return (family) => there.includes(family)
}
