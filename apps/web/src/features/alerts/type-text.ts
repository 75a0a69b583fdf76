import { alertTypeOf, alertTypeText } from '@pulse/contract'

/** The name of an alert type on pages. */
export const typeText = (type: string): string => alertTypeOf(type).shortLabel ?? alertTypeText(type)
