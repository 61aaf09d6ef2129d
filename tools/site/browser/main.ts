import { copyButtons } from './copy.js';
import { phoneMenu } from './menu.js';
import { searchDialog } from './search.js';

// Everything that the pages do by script. Without it they show all there is.
copyButtons();
phoneMenu();
searchDialog();
