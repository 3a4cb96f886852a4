import { mountWorkbench } from './mount';
import { clientOfWindow } from './workbench-client';

mountWorkbench(clientOfWindow());
