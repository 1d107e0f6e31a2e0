import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { LoadingState } from '../feedback/loading-state';
import { isOutsideTheConsole } from './own-path';

/** Goes to a path of this origin in place of the present one, whoever draws it. */
export function GoTo({ path }: { path: string }) {
  const isOutside = isOutsideTheConsole(path);
  useEffect(() => {
    if (isOutside) window.location.replace(path);
  }, [isOutside, path]);
  return isOutside ? <LoadingState what="the page" /> : <Navigate to={path} replace />;
}
