import { createRootRoute, Outlet } from '@tanstack/react-router'
import { validateSearch } from './search.ts'

export const rootRoute = createRootRoute({ validateSearch, component: Outlet })
