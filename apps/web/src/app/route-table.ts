import { createContext, useContext } from 'react'
import { type Page, pages } from './routes.ts'

/** What the router was made from, so that navigation lists exactly the pages that answer. */
export const RouteTableContext = createContext<readonly Page[]>(pages)

export const useRouteTable = () => useContext(RouteTableContext)
