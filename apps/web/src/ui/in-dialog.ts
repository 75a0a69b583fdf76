import { createContext } from 'react'

/** Whether something stands in a dialog: who leaves it loses what was typed there. */
export const InDialogContext = createContext(false)
