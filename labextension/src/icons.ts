import { LabIcon } from '@jupyterlab/ui-components';

import caveSvg from '../style/icon.svg';

/** A cave mouth with a light in it; it takes its colour from the theme. */
export const caveIcon = new LabIcon({ name: 'cave-lab:cave', svgstr: caveSvg });
